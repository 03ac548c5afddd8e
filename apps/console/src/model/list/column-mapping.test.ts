// The fields of the columns of a file.
import { readShape } from '@nomen/core/openapi'
import { expect, it } from 'vitest'
import { fieldOf } from '../record/field.ts'
import { readBulk } from './bulk-text.ts'
import { initialMapping, mappedRows } from './column-mapping.ts'

const fields = ['firstName', 'lastName', 'extension'].map((name) =>
  fieldOf(name, readShape({ type: name === 'extension' ? ['integer', 'null'] : 'string' }), true),
)

it('finds columns by the names of fields, then by their titles, and each field once', () => {
  const columns = ['First Name', 'firstName', ' LAST-name ', 'Extension', 'extension', 'Shoe size', '_line']
  expect([...initialMapping(columns, fields)]).toEqual([
    ['firstName', 'firstName'],
    ['extension', 'extension'],
    [' LAST-name ', 'lastName'],
  ])
})

it('gives rows the values of the chosen columns only', () => {
  const file = readBulk('csv', 'Name,Tel,Other\nByron,12,x\nHopper,,y\n')
  const mapping = new Map([
    ['Name', 'lastName'],
    ['Tel', 'extension'],
  ])
  expect(mappedRows(file, mapping, fields).map(({ record }) => record)).toEqual([
    { lastName: 'Byron', extension: 12 },
    { lastName: 'Hopper', extension: null },
  ])
  const json = readBulk('json', '[{"Name": "Byron", "Tel": "12"}]')
  expect([json.columns, mappedRows(json, mapping, fields)[0]?.record]).toEqual([
    ['Name', 'Tel'],
    { lastName: 'Byron', extension: '12' },
  ])
})

it('reads cells as a form reads its inputs', () => {
  const types = {
    active: { type: 'boolean' },
    size: { type: ['integer', 'null'] },
    tags: { type: 'array', items: { type: 'string' } },
    seen: { type: 'string', format: 'date-time' },
    note: { type: 'string' },
  }
  const typed = Object.entries(types).map(([name, schema]) => fieldOf(name, readShape(schema), true))
  const read = (line: string) => {
    const file = readBulk('csv', `${Object.keys(types).join(',')}\n${line}\n`)
    return mappedRows(file, initialMapping(file.columns, typed), typed)[0]?.record
  }
  expect(read('TRUE,"","[""a""]",2026-01-01T10:00,""')).toEqual({
    active: true,
    size: null,
    tags: ['a'],
    seen: '2026-01-01T10:00:00.000Z',
    note: '',
  })
  expect(read('maybe,x,[,soon,n')).toEqual({ active: 'maybe', size: 'x', tags: '[', seen: 'soon', note: 'n' })
})
