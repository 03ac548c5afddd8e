// Columns where a service answers otherwise than its document says.
import { expect, it } from 'vitest'
import { fieldOf } from '../record/field.ts'
import { shownColumns } from './shown-columns.ts'

const columns = ['id', 'email'].map((name) => fieldOf(name, { type: 'string', schema: {} }, true))
const columnTexts = (records: readonly { readonly [name: string]: unknown }[]) =>
  shownColumns(columns, records).map(({ name, kind }) => `${name} ${kind}`)

it('are those of the document as long as the records have them', () => {
  expect(shownColumns(columns, [])).toBe(columns)
  expect(shownColumns(columns, [{ id: '1', email: null, more: 1 }])).toBe(columns)
})

it('are the other fields of the records, without lists and objects', () => {
  const records = [
    { ref: 1, name: 'Ada', isOn: true, email: 'a', roles: [] },
    { ref: 2, name: null, isOn: false, email: 'b', roles: [] },
  ]
  expect(columnTexts(records)).toEqual(['ref number', 'name text', 'isOn boolean', 'email text'])
})
