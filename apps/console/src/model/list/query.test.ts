// The query of a list: comparisons of filters, presets of time, columns, and what is sent.
import directory from '@nomen/directory/openapi/directory.json' with { type: 'json' }
import { expect, it } from 'vitest'
import { serviceOf } from '../service/service.ts'
import { operatorsOf, parametersOf } from './filter.ts'
import { isPreset, presetStart } from './preset.ts'
import {
  columnNames,
  isFiltered,
  otherParameters,
  requestQuery,
  withColumns,
  withFilterValue,
  withoutFilters,
  withSorts,
} from './query.ts'

const service = serviceOf('directory', [{ document: directory, base: 'http://localhost' }])
const filtersAt = (path: string) =>
  service.collections.find((collection) => collection.path === path)?.variants[0]?.filters ?? []
const filters = filtersAt('/user')
const filterOf = (name: string) => {
  const filter = [...filters, ...filtersAt('/change')].find((candidate) => candidate.name === name)
  if (!filter) throw new Error(`There is no filter ${name}.`)
  return filter
}
const queryOf = (text: string) => new URLSearchParams(text)

it('has the comparisons of the parameters of the list', () => {
  expect(operatorsOf(filterOf('status'))).toEqual(['is'])
  expect(operatorsOf(filterOf('createdOrUpdated'))).toEqual(['range'])
  expect(operatorsOf(filterOf('time'))).toEqual(['range', 'is'])
  expect(parametersOf(filterOf('time'))).toEqual(['time', 'timeFrom', 'timeTo'])
  // "None" is an option of the supervisor.
  expect(operatorsOf(filterOf('supervisor'))).toEqual(['is'])
  const text = filterOf('firstName')
  expect(operatorsOf({ ...text, field: { ...text.field, isNullable: true } })).toEqual(['is', 'none'])
})

it('adds values of a filter, and replaces the only one', () => {
  const status = filterOf('status')
  const one = withFilterValue(queryOf('pageNumber=3&sort=id'), status, 'ACTIVE')
  expect(`${one}`).toBe('sort=id&status=ACTIVE')
  expect(`${withFilterValue(one, status, 'ACTIVE')}`).toBe('sort=id&status=ACTIVE')
  expect(`${withFilterValue(one, status, 'SUSPENDED')}`).toBe('sort=id&status=ACTIVE&status=SUSPENDED')
  expect(`${withFilterValue(one, { ...status, isRepeatable: false }, 'SUSPENDED')}`).toBe('sort=id&status=SUSPENDED')
  // An exact time takes the place of a range.
  expect(`${withFilterValue(queryOf('timeFrom=today'), filterOf('time'), 'x')}`).toBe('time=x')
})

it('sends neither columns nor names of presets', () => {
  const query = withColumns(queryOf('firstName=today&createdOrUpdatedFrom=today&sort=-id'), ['firstName', 'status'])
  expect(`${query}`).toContain('_columns=firstName+status')
  expect(columnNames(query)).toEqual(['firstName', 'status'])
  const [today] = new Date().toISOString().split('T')
  expect([...requestQuery(filters, query)]).toEqual([
    ['firstName', 'today'],
    ['createdOrUpdatedFrom', `${today}T00:00:00.000Z`],
    ['sort', '-id'],
  ])
  expect(columnNames(withColumns(query, undefined))).toBeUndefined()
})

it('has presets that begin at midnight UTC', () => {
  const now = new Date('2026-03-05T23:30:00-05:00')
  expect(isPreset('last-7-days')).toBe(true)
  expect(presetStart('today', 'timestamp', now)).toBe('2026-03-06T00:00:00.000Z')
  expect(presetStart('last-7-days', 'date', now)).toBe('2026-02-28')
  expect(presetStart('last-30-days', 'date', now)).toBe('2026-02-05')
  expect(presetStart('this-month', 'date', now)).toBe('2026-03-01')
})

it('keeps sort, page size and columns if filters are cleared', () => {
  const query = queryOf('status=ACTIVE&sort=-id&stauts=x&search=y&pageNumber=2&pageSize=10&_columns=id')
  expect(`${withoutFilters(query)}`).toBe('sort=-id&pageSize=10&_columns=id')
  expect([isFiltered(query), isFiltered(withoutFilters(query))]).toEqual([true, false])
  expect(otherParameters(filters, query)).toEqual(['stauts'])
  expect(`${withSorts(queryOf('sort=a&sort=-b'), [{ name: 'b', isDescending: true }])}`).toBe('sort=-b')
})
