/** Turns the bytes of a file into blocks of text, and detects the format of the file. */
import { nearest } from '@nomen/core'
import { JsonElements, JsonFileError, type JsonFileFault } from '@nomen/core/bulk'
import { quoted } from '../../foundation/quoted.ts'
import { BulkError } from '../error.ts'
import type { Source } from '../source.ts'
import type { FileFormat } from './file-reader.ts'
import { type FileBlock, textBlocks, withoutByteOrderMark } from './text-block.ts'

export interface RecordBlocks {
  readonly format: FileFormat
  /** Blocks of lines. A JSON array is split into one record per line. */
  readonly blocks: AsyncIterable<FileBlock>
}

/** Starts to read. Without a format, the first character decides: a brace is NDJSON, a bracket is JSON, any other is CSV. */
export async function recordBlocks(
  source: Source,
  format: FileFormat | undefined,
  member: string,
): Promise<RecordBlocks> {
  if (format !== undefined) return { format, blocks: blocksIn(format, source.bytes(), member) }
  const remaining = source.bytes()[Symbol.asyncIterator]()
  const start: Uint8Array[] = []
  let detected: FileFormat | undefined
  while (detected === undefined) {
    const { value, done } = await remaining.next()
    if (done) break
    start.push(value)
    detected = detectFormat(Buffer.concat(start))
  }
  const fileFormat = detected ?? detectFormat(Buffer.concat([...start, Buffer.from('   ')])) ?? 'csv'
  return { format: fileFormat, blocks: blocksIn(fileFormat, concat(start, remaining), member) }
}

async function* concat(start: readonly Uint8Array[], remaining: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* start
  yield* { [Symbol.asyncIterator]: () => remaining }
}

function detectFormat(start: Buffer): FileFormat | undefined {
  // A byte order mark may be split over chunks.
  if (start.length < 3) return undefined
  const [first] = start.toString().replace('\uFEFF', '').trimStart()
  if (first === undefined) return undefined
  return first === '{' ? 'ndjson' : first === '[' ? 'json' : 'csv'
}

function blocksIn(format: FileFormat, bytes: AsyncIterable<Uint8Array>, member: string): AsyncIterable<FileBlock> {
  if (format === 'json') return jsonBlocks(bytes, member)
  return format === 'csv' ? textBlocks(bytes) : lineBlocks(bytes)
}

/** Rejects a JSON array in a file that is declared as NDJSON. */
async function* lineBlocks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<FileBlock> {
  let isFirst = true
  for await (const block of textBlocks(bytes)) {
    if (isFirst && /^\s*\[\s*(\{|$)/.test(block.text))
      throw new BulkError('The file is a JSON array, not NDJSON.', 'Rename it to .json, or use --format json.')
    isFirst = false
    yield block
  }
}

async function* jsonBlocks(source: AsyncIterable<Uint8Array>, member: string): AsyncGenerator<FileBlock> {
  const elements = new JsonElements(member)
  let [bytes, fault] = [0, undefined as string | undefined]
  async function* lines() {
    try {
      for await (const chunk of source) {
        bytes += chunk.length
        yield elements.take(chunk)
      }
      const end = elements.end()
      fault = end.fault && endFaults[end.fault]
      yield end.lines
    } catch (error) {
      throw error instanceof JsonFileError ? rejectionOf(error.fault, member) : error
    }
  }
  for await (const block of textBlocks(lines())) {
    // The last block has no line feed at its end: it is empty, or an incomplete record.
    const isWhole = !block.isLast || fault === undefined
    yield isWhole
      ? { ...block, bytes }
      : { text: block.text || ' ', faults: new Map([[0, `${fault}`]]), bytes, isLast: true }
  }
}

const endFaults = {
  'cut-off': 'is incomplete: the file is truncated',
  stray: 'follows the last record and is ignored',
}

function rejectionOf(fault: JsonFileFault, member: string): BulkError {
  const fix = 'The file must contain an array of objects.'
  if (fault.kind === 'empty') return new BulkError('The file is empty.', fix)
  if (fault.kind === 'cut-off') return new BulkError('The file is truncated: its object is not closed.', fix)
  if (fault.kind === 'not-json') {
    const text = withoutByteOrderMark(Buffer.from(fault.begin)).toString()
    return new BulkError(`The file is not valid JSON: it starts with ${quoted(text)}.`, fix)
  }
  return new BulkError(
    `The file is an object without an array ${quoted(member)}: it has ${fault.names.map((name) => quoted(name)).join(', ')}.`,
    `Specify the array that has the records: --member ${nearest(member, fault.names) ?? fault.names[0]}`,
  )
}
