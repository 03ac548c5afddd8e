// A JSON file as lines, whatever it looks like and however its bytes arrive.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FileFormat } from './file-reader.ts'
import { NdjsonReader } from './ndjson.ts'
import { recordBlocks } from './record-blocks.ts'

/** The contents or faults of the records of a file that is read in pieces of this size. */
async function read(file: string | Buffer, { size = 7, member = 'post' } = {}, format: FileFormat | null = 'json') {
  const bytes = Buffer.from(file)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const { blocks, format: detectedFormat } = await recordBlocks(
    { name: 'test', isRepeatable: true, bytes: pieces },
    format ?? undefined,
    member,
  )
  const reader = new NdjsonReader('record')
  const contents: unknown[] = []
  for await (const block of blocks)
    for (const record of reader.records(block))
      contents.push('content' in record ? record.content : `${record.line} ${record.fault}`)
  return { contents, detectedFormat }
}

describe('a JSON file', () => {
  it('has the elements of its array as records, whatever its formatting and its blocks', async () => {
    const value = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }))
    const records = fc.array(fc.dictionary(fc.string(), value, { noNullPrototype: true }))
    const indent = fc.constantFrom(undefined, 1, '\t', '\r\n'.slice(1))
    await fc.assert(
      fc.asyncProperty(records, indent, fc.integer({ min: 1, max: 40 }), async (input, space, size) => {
        const expected = JSON.parse(JSON.stringify(input))
        const text = JSON.stringify(input, null, space)
        expect((await read(text, { size })).contents).toEqual(expected)
        expect((await read(text.replaceAll('\n', '\r\n'), { size })).contents).toEqual(expected)
        const document = JSON.stringify(
          { comments: [{ post: [1] }], '}"': { post: [2] }, post: input, late: [3] },
          null,
          space,
        )
        expect((await read(document, { size })).contents).toEqual(expected)
        const oneByOne = input.filter((record) => !Object.values(record).some(Array.isArray))
        const side = oneByOne.map((record) => JSON.stringify(record, null, space)).join('')
        if (oneByOne.length > 0)
          expect((await read(side, { size })).contents).toEqual(JSON.parse(JSON.stringify(oneByOne)))
      }),
    )
  })

  it.each([
    ['[]', []],
    [' [ ] \n', []],
    ['\uFEFF[{}]', [{}]],
    ['{}', [{}]],
    ['[{},,{}]', [{}, '2 is empty: there is an extra comma', {}]],
    ['[{},]', [{}, '2 is empty: there is an extra comma']],
    ['[{},{"a":"b', [{}, '2 is incomplete: the file is truncated']],
    ['[{}', ['1 is incomplete: the file is truncated']],
    ['[{},', [{}, '2 is incomplete: the file is truncated']],
    ['[{}][{}]', [{}, '2 follows the last record and is ignored']],
    ['{"post":[{}],"x":"]}"}\n', [{}]],
    ['{"post":[{}],"x":', [{}, '2 is incomplete: the file is truncated']],
    ['{"post":[{}],"x":[{}]', [{}, '2 is incomplete: the file is truncated']],
    ['{"post":[{}]}{"post":[]}', [{}, '2 follows the last record and is ignored']],
    ['{"a":1} tru', [{ a: 1 }, '2 follows the last record and is ignored']],
    ['[{"a":"b\n},{"c":1}]', [expect.stringMatching(/^1 is not valid JSON: /), { c: 1 }]],
    ['[{"a":1],{"c":1}]', [expect.stringMatching(/^1 is not valid JSON: /), { c: 1 }]],
    ['[1,[2]]', ['1 is 1, not an object', '2 is an array, not an object']],
    ['{"a":1}\n{"b":[1]}', [{ a: 1 }, { b: [1] }]],
    ['{"a":1}{"b":', [{ a: 1 }, '2 is incomplete: the file is truncated']],
  ])('such as %j', async (file, expected) => {
    for (const size of [1, 2, 3, 100]) expect((await read(file, { size })).contents).toEqual(expected)
  })

  it.each([
    ['', 'The file is empty.\n  The file must contain an array of objects.'],
    [' \n', 'The file is empty.'],
    ['id,name\n', 'The file is not valid JSON: it starts with "id'],
    [
      '{"posts":[{"post":[]}],"comments":[]}',
      'The file is an object without an array "post": it has "posts", "comments".\n  Specify the array that has the records: --member posts',
    ],
    ['{"posts":[{"a":1}', 'it has "posts"'],
    ['{"a":{"b":1}', 'The file is truncated: its object is not closed.'],
  ])('%j is rejected', async (file, message) => {
    for (const size of [1, 2, 3, 100]) await expect(read(file, { size })).rejects.toThrow(message)
  })

  it('may contain several arrays, of which one is selected', async () => {
    const file = '{"posts":[{"a":1}],"comments":[{"b":2}]}'
    expect((await read(file, { member: 'comments' })).contents).toEqual([{ b: 2 }])
  })

  it('reports a record that is too long for memory with its number, and reads the others', async () => {
    const file = `[{"a":1},{"b":"${'x'.repeat(17 * 1024 * 1024)}"},{"c":1}]`
    const { contents } = await read(file, { size: 1024 * 1024 })
    expect(contents).toEqual([{ a: 1 }, '2 is longer than 16 MiB', { c: 1 }])
  })
})

it.each([
  ['{"a":1}', 'ndjson'],
  [' \n [{"a":1}]', 'json'],
  ['\uFEFF[', 'json'],
  ['a,b\n', 'csv'],
  ['', 'csv'],
])('the format of %j is detected', async (file, format) => {
  expect((await read(file, { size: 2 }, null)).detectedFormat).toBe(format)
})
