import { type Cell, CsvReader, csvLine, type FileRecord } from '@nomen/core/bulk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textBlocks } from './text-block.ts'

/** The bytes in pieces of these sizes, again and again. */
async function* pieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let [at, turn] = [0, 0]; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? bytes.length
    yield bytes.subarray(at, at + size)
    at += size
  }
}

/** All records of a file that is read in pieces of these sizes (default: in one piece). */
async function read(file: string | Uint8Array, ...sizes: readonly number[]): Promise<FileRecord<readonly Cell[]>[]> {
  const reader = new CsvReader()
  const records: FileRecord<readonly Cell[]>[] = []
  const bytes = typeof file === 'string' ? Buffer.from(file) : file
  for await (const block of textBlocks(pieces(bytes, sizes))) records.push(...reader.records(block))
  return records
}

async function cells(file: string): Promise<(readonly Cell[] | string)[]> {
  return (await read(file)).map((record) => ('content' in record ? record.content : record.fault))
}

/** Each record's first line, and its fault where it has one. */
async function faults(file: string | Uint8Array, ...sizes: readonly number[]): Promise<[number, string?][]> {
  return (await read(file, ...sizes)).map((record) => ('fault' in record ? [record.line, record.fault] : [record.line]))
}

const strayQuote = 'has a quote inside a value; put the value in quotes and double the quote'
const openQuote = 'opens a quote that is never closed'

describe('a CSV file', () => {
  it.each([
    [
      'plain values',
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'no line feed at the end',
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'CRLF',
      'a,b\r\n"c",d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a comma, a quote and line ends in quotes', '"a,b","c""d","e\r\nf\ng"\n', [['a,b', 'c"d', 'e\r\nf\ng']]],
    ['nothing, and the empty text', ',"",\n', [[null, '', null]]],
    ['one value', 'a\n"b"\n', [['a'], ['b']]],
    ['spaces that belong to their value', ' a , b\n', [[' a ', ' b']]],
    ['a carriage return within a line', 'a\rb,c\n', [['a\rb', 'c']]],
    ['quotes only', '""""\n""""""\n', [['"'], ['""']]],
    ['a mark of its encoding', '\uFEFFa,b\n', [['a', 'b']]],
    [
      'lines with nothing on them',
      '\n\r\na,b\n\n\nc,d\n\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['nothing at all', '', []],
  ])('has %s', async (_, file, expected) => {
    expect(await cells(file)).toEqual(expected)
  })

  it('reports the line of a record, also after records of several lines', async () => {
    const file = 'a,b\n"1\n2\n3",x\r\n\n4,"\n"\n5,y'
    expect((await read(file)).map(({ line, text }) => [line, text])).toEqual([
      [1, 'a,b'],
      [2, '"1\n2\n3",x'],
      [6, '4,"\n"'],
      [8, '5,y'],
    ])
  })

  it.each([
    ['a quote inside a plain value', 'a,b\nx"y,1\nc,d\n', [[1], [2, strayQuote], [3]]],
    ['more after a closing quote', 'a,b\n"x"y,1\nc,d\n', [[1], [2, strayQuote], [3]]],
    ['a quote that is not closed', 'a,b\n"x,1\nc,d\n', [[1], [2, openQuote], [3]]],
    ['one that the next quote closes', 'a,b\n"x,1\n"c",d\ne,f\n', [[1], [2, strayQuote], [3], [4]]],
    ['the last line', 'a,b\nc,"', [[1], [2, openQuote]]],
  ])('continues after %s with the next line', async (_, file, expected) => {
    expect(await faults(file)).toEqual(expected)
    expect(await faults(file, 1)).toEqual(expected)
  })

  it('rejects only the record whose bytes are not UTF-8, even if it has several lines', async () => {
    const broken = Buffer.concat([
      Buffer.from('a,b\nc,d\n"1\n2'),
      Buffer.from([0xff]),
      Buffer.from('\n3",x\ne,'),
      Buffer.from([0xc3]),
      Buffer.from('\nf,ü\n'),
    ])
    const fault = 'has bytes that are not UTF-8'
    const expected = [[1], [2], [3, fault], [6, fault], [7]]
    for (const sizes of [[], [1], [2], [5, 3]]) expect(await faults(broken, ...sizes), `${sizes}`).toEqual(expected)
  })

  it('rejects a line that is too long for memory, and continues', async () => {
    const long = Buffer.concat([Buffer.from('a,b\n"'), Buffer.alloc(17 * 1024 * 1024, 120), Buffer.from('"\nc,d\n')])
    expect(await faults(long, 1024 * 1024)).toEqual([[1], [2, 'is longer than 16 MiB'], [3]])
  })

  it('does not read the rest of a large file as one value because of one quote', async () => {
    const line = `${'x'.repeat(1023)}\n`
    const file = `a\n"b\n${line.repeat(17 * 1024)}c\n`
    const records = await faults(file, 256 * 1024)
    expect(records.filter(([, fault]) => fault)).toEqual([[2, openQuote]])
    expect(records).toHaveLength(17 * 1024 + 3)
  })

  it('may contain any values, whatever the size of its blocks', async () => {
    const character = fc.oneof(fc.constantFrom(',', '"', '\r', '\n', '\r\n', ' ', ''), fc.string({ unit: 'grapheme' }))
    const value = fc.array(character, { maxLength: 6 }).map((parts) => parts.join('').replaceAll('\u0000', ''))
    const row = fc
      .integer({ min: 2, max: 4 })
      .chain((length) => fc.array(fc.option(value), { minLength: length, maxLength: length }))
    await fc.assert(
      fc.asyncProperty(
        fc.array(row),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        async (rows, sizes) => {
          const file = rows.map((values) => csvLine(values)).join('')
          const records = await read(file, ...sizes)
          expect(records.map((record) => ('content' in record ? record.content : record.fault))).toEqual(rows)
          const again = new CsvReader()
          expect(records.map(({ text }) => again.readAgain(text))).toEqual(rows)
        },
      ),
    )
  })
})
