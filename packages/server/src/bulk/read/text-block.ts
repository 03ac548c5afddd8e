/** Decodes the bytes of a file into blocks of complete lines, with the numbers of lines that are not valid. */
import { isUtf8 } from 'node:buffer'
import { maxBytes, type TextBlock } from '@nomen/core/bulk'
import { BulkError } from '../error.ts'

export interface FileBlock extends TextBlock {
  /** The number of bytes of the file up to the end of this block. */
  readonly bytes: number
}

const lineFeed = 10

/** Splits the bytes into blocks. There is always a last block, which may be empty. */
export async function* textBlocks(source: AsyncIterable<Uint8Array>): AsyncGenerator<FileBlock> {
  /** The start of a line that continues in the next chunk. */
  let remainder: Buffer[] = []
  let [pendingBytes, bytesRead, skippedBytes, isStart] = [0, 0, 0, true]
  for await (const chunk of source) {
    bytesRead += chunk.length
    const bytes = asBuffer(chunk)
    const end = bytes.lastIndexOf(lineFeed) + 1
    if (end > 0) {
      const lines = concatChunks([...remainder, bytes.subarray(0, end)])
      remainder = []
      pendingBytes = 0
      const block = decodeBlock(isStart ? withoutByteOrderMark(lines) : lines, skippedBytes)
      yield { ...block, bytes: bytesRead - bytes.length + end, isLast: false }
      ;[isStart, skippedBytes] = [false, 0]
    }
    remainder.push(bytes.subarray(end))
    pendingBytes += bytes.length - end
    // Only the start of a line that is too long is kept.
    if (pendingBytes > (skippedBytes > 0 ? keptPrefixBytes : maxBytes)) {
      skippedBytes += pendingBytes - keptPrefixBytes
      remainder = [Buffer.from(concatChunks(remainder).subarray(0, keptPrefixBytes))]
      pendingBytes = keptPrefixBytes
    }
  }
  const lastBytes = concatChunks(remainder)
  yield {
    ...decodeBlock(isStart ? withoutByteOrderMark(lastBytes) : lastBytes, skippedBytes),
    bytes: bytesRead,
    isLast: true,
  }
}

function concatChunks(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
}

const keptPrefixBytes = 256

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}

/** `skippedBytes` is the number of dropped bytes of the first line. */
function decodeBlock(bytes: Buffer, skippedBytes: number): Pick<TextBlock, 'text' | 'faults'> {
  const text = bytes.toString()
  if (skippedBytes === 0 && isUtf8(bytes)) return { text }
  const faults = new Map<number, string>()
  // Decoding replaces invalid bytes but keeps all line feeds.
  for (let [line, lineStart] = [0, 0]; lineStart < bytes.length; line++) {
    const next = bytes.indexOf(lineFeed, lineStart)
    const end = next === -1 ? bytes.length : next + 1
    if (!isUtf8(bytes.subarray(lineStart, end))) faults.set(line, 'has bytes that are not UTF-8')
    lineStart = end
  }
  if (skippedBytes > 0) faults.set(0, `is longer than ${maxBytes / 1024 / 1024} MiB`)
  return { text, faults }
}

/** Removes the byte order mark. Throws for files in another encoding or format. */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  const [first, second, third, fourth] = bytes
  if (first === 0x50 && second === 0x4b && third === 3 && fourth === 4)
    throw new BulkError('The file is a ZIP archive, as spreadsheets (.xlsx, .ods) are.', 'Save it as CSV, in UTF-8.')
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new BulkError('The file is in UTF-16.', 'Save it in UTF-8, or convert it: iconv -f UTF-16 -t UTF-8.')
  return first === 0xef && second === 0xbb && third === 0xbf ? bytes.subarray(3) : bytes
}
