// CSV and NDJSON: what is written is read again.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bulkHead, bulkLine, readBulk } from './bulk-text.ts'
import { fieldOf } from './field.ts'
import { schemaOf } from './openapi.ts'

const field = (name: string, schema: object) => fieldOf(name, schemaOf({}, schema), false)
const fields = [
  field('id', { type: 'integer' }),
  field('name', { type: 'string' }),
  field('note', { type: ['string', 'null'] }),
  field('on', { type: 'boolean' }),
]

const records = fc.array(
  fc.record({
    id: fc.integer(),
    name: fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r', ' ', '☕') }),
    note: fc.option(fc.string()),
    on: fc.boolean(),
  }),
)

it.each(['csv', 'ndjson'] as const)('%s gives back every record', (format) => {
  fc.assert(
    fc.property(records, (all) => {
      const text = bulkHead(format, fields) + all.map((one) => bulkLine(format, fields, one)).join('')
      expect(readBulk(format, text, fields).map(({ record }) => record)).toEqual(all)
    }),
  )
})

describe('what is wrong with a line', () => {
  it('is told with its number', () => {
    expect(readBulk('ndjson', '{"a":1}\n\n{oops\n[1]\n', [])).toMatchObject([
      { line: 1, record: { a: 1 } },
      { line: 3, fault: expect.stringContaining('no JSON') },
      { line: 4, fault: 'It holds no object.' },
    ])
    const rows = readBulk('csv', 'id,name\n1,"two\nlines"\n2,b,c\n3,d', fields)
    expect(rows).toMatchObject([
      { line: 2, record: { id: 1, name: 'two\nlines' } },
      { line: 4, fault: 'It has 3 cells, and the head 2.' },
      { line: 5, record: { id: 3, name: 'd' } },
    ])
  })

  it('is left to the service where only that can say it', () => {
    expect(readBulk('csv', 'id,on\nmany,perhaps\n', fields)[0]?.record).toEqual({ id: 'many', on: 'perhaps' })
  })
})
