/** Bytes of a file as text: blocks of whole lines, in which lines that cannot be read are known by number. */
import { isUtf8 } from 'node:buffer'
import { maxBytes, type TextBlock } from '@nomen/core/bulk'
import { BulkError } from '../error.ts'

export interface FileBlock extends TextBlock {
  /** How many bytes of the file end with this block. */
  readonly bytes: number
}

const lineFeed = 10

/** Cuts the bytes into blocks. There is always a last one, which may be empty. */
export async function* textBlocks(source: AsyncIterable<Uint8Array>): AsyncGenerator<FileBlock> {
  /** A line that goes on in the next chunk, put together when its end is there. */
  let rest: Buffer[] = []
  let [held, taken, skipped, isStart] = [0, 0, 0, true]
  for await (const chunk of source) {
    taken += chunk.length
    const bytes = asBuffer(chunk)
    const end = bytes.lastIndexOf(lineFeed) + 1
    if (end > 0) {
      const lines = joined([...rest, bytes.subarray(0, end)])
      rest = []
      held = 0
      const block = decoded(isStart ? withoutMark(lines) : lines, skipped)
      yield { ...block, bytes: taken - bytes.length + end, isLast: false }
      ;[isStart, skipped] = [false, 0]
    }
    rest.push(bytes.subarray(end))
    held += bytes.length - end
    // Of a line without end only its beginning is kept, and that there was more.
    if (held > (skipped > 0 ? kept : maxBytes)) {
      skipped += held - kept
      rest = [Buffer.from(joined(rest).subarray(0, kept))]
      held = kept
    }
  }
  const last = joined(rest)
  yield { ...decoded(isStart ? withoutMark(last) : last, skipped), bytes: taken, isLast: true }
}

function joined(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
}

const kept = 256

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}

/** `skipped` bytes of the first line are gone. */
function decoded(bytes: Buffer, skipped: number): Pick<TextBlock, 'text' | 'faults'> {
  const text = bytes.toString()
  if (skipped === 0 && isUtf8(bytes)) return { text }
  const faults = new Map<number, string>()
  // Whatever stands for the broken bytes, the line feeds of the text are those of the file.
  for (let [line, at] = [0, 0]; at < bytes.length; line++) {
    const next = bytes.indexOf(lineFeed, at)
    const end = next === -1 ? bytes.length : next + 1
    if (!isUtf8(bytes.subarray(at, end))) faults.set(line, 'holds bytes that are not UTF-8')
    at = end
  }
  if (skipped > 0) faults.set(0, `is longer than ${maxBytes / 1024 / 1024} MiB`)
  return { text, faults }
}

/** Takes the byte order mark away; what begins otherwise tells that nothing here could be read. */
export function withoutMark(bytes: Buffer): Buffer {
  const [first, second, third, fourth] = bytes
  if (first === 0x50 && second === 0x4b && third === 3 && fourth === 4)
    throw new BulkError('The file is a ZIP archive, as spreadsheets (.xlsx, .ods) are.', 'Save it as CSV, in UTF-8.')
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new BulkError('The file is in UTF-16.', 'Save it in UTF-8, or convert it: iconv -f UTF-16 -t UTF-8.')
  return first === 0xef && second === 0xbb && third === 0xbf ? bytes.subarray(3) : bytes
}
