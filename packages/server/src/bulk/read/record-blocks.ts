/** The bytes of a file as blocks of text in the format that it has. */
import { nearest } from '@nomen/core'
import { JsonElements, JsonFileError, type JsonFileFault } from '@nomen/core/bulk'
import { quoted } from '../../foundation/quoted.ts'
import { BulkError } from '../error.ts'
import type { Source } from '../source.ts'
import type { FileFormat } from './file-reader.ts'
import { type FileBlock, textBlocks, withoutMark } from './text-block.ts'

export interface RecordBlocks {
  readonly format: FileFormat
  /** Of a JSON file, each line of text is a record, whatever lines the file has. */
  readonly blocks: AsyncIterable<FileBlock>
}

/** Begins to read. Without a format the first character tells: a brace is NDJSON, a bracket is JSON, any other CSV. */
export async function recordBlocks(
  source: Source,
  format: FileFormat | undefined,
  member: string,
): Promise<RecordBlocks> {
  if (format !== undefined) return { format, blocks: blocksIn(format, source.bytes(), member) }
  const rest = source.bytes()[Symbol.asyncIterator]()
  const begin: Uint8Array[] = []
  let told: FileFormat | undefined
  while (told === undefined) {
    const { value, done } = await rest.next()
    if (done) break
    begin.push(value)
    told = formatBy(Buffer.concat(begin))
  }
  const found = told ?? formatBy(Buffer.concat([...begin, Buffer.from('   ')])) ?? 'csv'
  return { format: found, blocks: blocksIn(found, joined(begin, rest), member) }
}

async function* joined(begin: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* begin
  yield* { [Symbol.asyncIterator]: () => rest }
}

function formatBy(begin: Buffer): FileFormat | undefined {
  // A byte order mark may come in pieces.
  if (begin.length < 3) return undefined
  const [first] = begin.toString().replace('\uFEFF', '').trimStart()
  if (first === undefined) return undefined
  return first === '{' ? 'ndjson' : first === '[' ? 'json' : 'csv'
}

function blocksIn(format: FileFormat, bytes: AsyncIterable<Uint8Array>, member: string): AsyncIterable<FileBlock> {
  if (format === 'json') return jsonBlocks(bytes, member)
  return format === 'csv' ? textBlocks(bytes) : lineBlocks(bytes)
}

/** An array can be read as well, but not as what it is said to be. */
async function* lineBlocks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<FileBlock> {
  let isBegun = false
  for await (const block of textBlocks(bytes)) {
    if (!isBegun && /^\s*\[\s*(\{|$)/.test(block.text))
      throw new BulkError('The file is one array of JSON, not NDJSON.', 'Call it .json, or give --format json.')
    isBegun = true
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
      throw error instanceof JsonFileError ? refusalOf(error.fault, member) : error
    }
  }
  for await (const block of textBlocks(lines())) {
    // The last block is what no line feed ends: nothing, or a record that is not whole.
    const isWhole = !block.isLast || fault === undefined
    yield isWhole
      ? { ...block, bytes }
      : { text: block.text || ' ', faults: new Map([[0, `${fault}`]]), bytes, isLast: true }
  }
}

const endFaults = {
  'cut-off': 'is where the file ends: it is cut off',
  stray: 'stands behind the end of the array, and is not read',
}

function refusalOf(fault: JsonFileFault, member: string): BulkError {
  const fix = 'It holds an array of objects.'
  if (fault.kind === 'empty') return new BulkError('The file is empty.', fix)
  if (fault.kind === 'cut-off') return new BulkError('The file is cut off: its object has no end.', fix)
  if (fault.kind === 'not-json') {
    const text = withoutMark(Buffer.from(fault.begin)).toString()
    return new BulkError(`The file is no JSON: it begins with ${quoted(text)}.`, fix)
  }
  return new BulkError(
    `The file is an object without an array ${quoted(member)}: it has ${fault.names.map((name) => quoted(name)).join(', ')}.`,
    `Name the one with the records: --member ${nearest(member, fault.names) ?? fault.names[0]}`,
  )
}
