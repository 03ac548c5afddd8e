// CSV, NDJSON and JSON files can be written and read again.

import { readShape } from '@nomen/core/openapi'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldOf } from '../record/field.ts'
import { type BulkFormat, bulkFormat, bulkHead, bulkLine, readBulk } from './bulk-text.ts'
import { initialMapping, mappedRows } from './column-mapping.ts'

const field = (name: string, schema: object) => fieldOf(name, readShape(schema), false)
const fields = [
  field('id', { type: 'integer' }),
  field('name', { type: 'string' }),
  field('note', { type: ['string', 'null'] }),
  field('on', { type: 'boolean' }),
]

/** The rows of a file with the values of its fields. */
function rowsOf(format: BulkFormat, text: string) {
  const file = readBulk(format, text)
  return mappedRows(file, initialMapping(file.columns, fields), fields)
}

const records = fc.array(
  fc.record({
    id: fc.integer(),
    name: fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r', ' ', '☕', "'", '=', '-', '\t', '1') }),
    note: fc.option(fc.string()),
    on: fc.boolean(),
  }),
)

it.each(['csv', 'ndjson', 'spreadsheet'] as const)('%s gives back every record', (format) => {
  fc.assert(
    fc.property(records, (all) => {
      const text = bulkHead(format, fields) + all.map((record) => bulkLine(format, fields, record)).join('')
      const file = format === 'spreadsheet' ? 'csv' : format
      expect(rowsOf(file, text).map(({ record }) => record)).toEqual(all)
    }),
  )
})

it('for spreadsheets has no cell that is a formula, and numbers as they are', () => {
  const write = (name: string, id = -5) => bulkLine('spreadsheet', fields, { id, name, note: null, on: true })
  for (const name of ['=1+1', '+1', '-x', '@a', "'=1", '＝1']) expect(write(name)).toBe(`-5,'${name},,true\r\n`)
  for (const name of ['\t=1', '\r=1', '\n=1']) expect(write(name)).toContain(`'${name}`)
  expect(write('-5.50')).toBe('-5,-5.50,,true\r\n')
  expect(write('a=1')).toBe('-5,a=1,,true\r\n')
  expect(bulkHead('spreadsheet', fields)).toBe("'id,name,note,on\r\n")
})

it.each([0, 2])('a JSON array gives back every record, indented by %i', (space) => {
  fc.assert(
    fc.property(records, (all) => {
      const text = JSON.stringify(all, null, space)
      expect(rowsOf('json', text).map(({ record }) => record)).toEqual(all)
      expect(rowsOf('json', JSON.stringify({ pageInfo: {}, results: all }))).toHaveLength(all.length)
    }),
  )
})

it.each([
  ['a.csv', '[', 'csv'],
  ['a.jsonl', '{"a":1}', 'ndjson'],
  ['a.json', ' [{}]', 'json'],
  ['a.json', '{"results": []}', 'json'],
  ['a.json', '{"a":1}\n{"a":2}', 'ndjson'],
  ['a.txt', 'id,name', 'csv'],
] as const)('%s that holds %j is %s', (name, text, format) => expect(bulkFormat(name, text)).toBe(format))

describe('a fault in a JSON array', () => {
  it('is reported for its record, and the others are read', () => {
    expect(readBulk('json', '[{"a": "]},["},\n {oops}, 3,\n{"a": [1, {"b": 2}]}]').rows).toMatchObject([
      { line: 1, record: { a: ']},[' } },
      { line: 2, fault: expect.stringContaining('Not valid JSON'), text: '{oops}' },
      { line: 3, fault: 'Not a JSON object.' },
      { line: 4, record: { a: [1, { b: 2 }] } },
    ])
  })

  it('is reported if the file is truncated or has more text', () => {
    expect(readBulk('json', '[{"a":1},').rows.at(-1)).toMatchObject({
      line: 2,
      fault: expect.stringContaining('truncated'),
    })
    expect(readBulk('json', '[{"a":1}] [2]').rows.at(-1)?.fault).toBe('There is more text after the last record.')
  })

  it('leaves one object to be one record', () => {
    expect(readBulk('json', '{\n"a": 1\n}\n').rows).toEqual([{ line: 1, record: { a: 1 }, fault: undefined }])
    expect(readBulk('json', '{"a": [1], "b": []}').rows).toMatchObject([{ line: 1, record: { a: [1], b: [] } }])
  })
})

describe('a fault in a line', () => {
  it('is reported with the line number', () => {
    expect(readBulk('ndjson', '{"a":1}\n\n{oops\n[1]\n').rows).toMatchObject([
      { line: 1, record: { a: 1 } },
      { line: 3, fault: expect.stringContaining('Not valid JSON') },
      { line: 4, fault: 'Not a JSON object.' },
    ])
    const rows = rowsOf('csv', 'id,name\n1,"two\nlines"\n2,b,c\n3,d')
    expect(rows).toMatchObject([
      { line: 2, record: { id: 1, name: 'two\nlines' } },
      { line: 4, fault: 'The row has 3 cells, but the header has 2.' },
      { line: 5, record: { id: 3, name: 'd' } },
    ])
  })

  it('leaves the lines behind a quote that is not closed to be read', () => {
    expect(rowsOf('csv', 'id,name\n1,"a\n2,b\n')).toMatchObject([
      { line: 2, fault: 'The row opens a quote that is never closed.', text: '1,"a' },
      { line: 3, record: { id: 2, name: 'b' } },
    ])
    expect(rowsOf('csv', 'id,"name\n1,a\n')).toMatchObject([{ line: 1, fault: expect.anything() }])
  })

  it('is not checked if only the service can check it', () => {
    expect(rowsOf('csv', 'id,on\nmany,perhaps\n')[0]?.record).toEqual({ id: 'many', on: 'perhaps' })
  })
})
