/** Batches of log lines: read from one file, sent together, acknowledged together. */
import type { Position } from './tail/position-file.ts'

export interface LogLine {
  /** The line without its newline. */
  readonly text: string
  /** The byte offset of the line in its file. */
  readonly offset: number
}

export interface Batch {
  readonly lines: readonly LogLine[]
  readonly position: Position
  /** The byte offset in the file after the last line. */
  readonly end: number
  /** Whether the file has no more lines and will not grow. */
  readonly isLast: boolean
  /** Whether the file may have more lines now. */
  readonly isFull: boolean
}

/** The maximum size of a batch. */
export interface BatchLimit {
  readonly bytes: number
  readonly lines: number
}

export const defaultLimit: BatchLimit = { bytes: 256 * 1024, lines: 2500 }

const newline = 10
const carriageReturn = 13

export interface SplitLines {
  readonly lines: LogLine[]
  /** The number of bytes of these lines. */
  readonly length: number
}

/**
 * Splits bytes from an offset of a file into complete lines. With `isEnd`, nothing follows, so the last line is complete
 * without a newline. A line that is longer than the limit is split.
 */
export function splitLines(bytes: Buffer, offset: number, limit: BatchLimit, isEnd: boolean): SplitLines {
  const lines: LogLine[] = []
  let start = 0
  while (start < bytes.length && lines.length < limit.lines) {
    const lineEnd = bytes.indexOf(newline, start)
    const isOpen = lineEnd === -1
    if (isOpen && !isEnd && !(start === 0 && bytes.length >= limit.bytes)) break
    const end = isOpen ? bytes.length : lineEnd
    const textEnd = end > start && bytes[end - 1] === carriageReturn ? end - 1 : end
    if (textEnd > start) lines.push({ text: bytes.toString('utf8', start, textEnd), offset: offset + start })
    start = isOpen ? end : end + 1
  }
  return { lines, length: start }
}
