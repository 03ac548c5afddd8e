/** Lines on their way: read from one file, sent together, acknowledged together. */
import type { Position } from './tail/position-file.ts'

export interface LogLine {
  /** Without its end. */
  readonly text: string
  /** Where it begins in its file, in bytes. */
  readonly at: number
}

export interface Batch {
  readonly lines: readonly LogLine[]
  readonly position: Position
  /** Where the file is shipped to once all of the lines are. */
  readonly end: number
  /** There is no more after it, and never will be. */
  readonly isLast: boolean
  /** There may be more to read at once. */
  readonly isFull: boolean
}

/** How much is sent at once, at most. */
export interface BatchLimit {
  readonly bytes: number
  readonly lines: number
}

export const usualLimit: BatchLimit = { bytes: 256 * 1024, lines: 2500 }

const newline = 10
const carriageReturn = 13

export interface CutLines {
  readonly lines: LogLine[]
  /** How many of the bytes they are. */
  readonly length: number
}

/**
 * The lines in some bytes that begin at an offset of their file: as many as are whole. `isEnd` says that nothing follows, so
 * that the last one is whole without an end; so is one that is longer than all that can be taken at once.
 */
export function cutLines(bytes: Buffer, offset: number, limit: BatchLimit, isEnd: boolean): CutLines {
  const lines: LogLine[] = []
  let start = 0
  while (start < bytes.length && lines.length < limit.lines) {
    const found = bytes.indexOf(newline, start)
    const isOpen = found === -1
    if (isOpen && !isEnd && !(start === 0 && bytes.length >= limit.bytes)) break
    const end = isOpen ? bytes.length : found
    const textEnd = end > start && bytes[end - 1] === carriageReturn ? end - 1 : end
    if (textEnd > start) lines.push({ text: bytes.toString('utf8', start, textEnd), at: offset + start })
    start = isOpen ? end : end + 1
  }
  return { lines, length: start }
}
