/** Lists in the model: filters, include, search, sort and pages. */

import type { Faults } from './refusal.ts'
import {
  compareValues,
  foldCase,
  isCalendarDay,
  isGuid,
  isStorable,
  readInteger,
  readTimestamp,
  type Value,
} from './value.ts'
import { listItemOf, type Property, propertyOf, type View } from './view.ts'
import { identityOf, type Row, type World } from './world.ts'

export type Query = readonly (readonly [name: string, value: string])[]

type Test = (row: Row) => boolean

/** The query of a list. */
export interface ListQuery {
  tests: readonly Test[]
  include: readonly number[]
  sort: readonly { property: Property; isDescending: boolean }[]
  pageNumber: number
  pageSize: number
}

export function readListQuery(view: View, query: Query, faults: Faults): ListQuery {
  const valuesOf = (name: string) => query.filter(([parameter]) => parameter === name).map(([, value]) => value)
  for (const [name] of query) if (!isParameter(view, name)) faults.add('unknown-parameter', name)
  // A plain array has no pages: the service may report its page parameters as unknown or as invalid.
  if (view.isPlain && valuesOf('pageNumber').concat(valuesOf('pageSize')).length > 0) faults.add('invalid-parameter')
  const tests: Test[] = []
  for (const property of view.properties) {
    const test = filter(view, property, valuesOf(property.name), faults)
    if (test) tests.push(test)
  }
  if (view.hasRange) tests.push(range(valuesOf('createdOrUpdatedFrom'), valuesOf('createdOrUpdatedTo'), faults))
  if (view.search && valuesOf('search').length > 0) tests.push(search(view, valuesOf('search'), faults))
  return {
    tests,
    include: valuesOf('include').map((text) => {
      const id = readInteger(text)
      if (id === undefined) faults.add('invalid-parameter', 'include')
      return id ?? 0
    }),
    sort: valuesOf('sort').flatMap((text) => {
      const property = propertyOf(view, text.replace(/^-/, ''))
      if (!property) faults.add('invalid-parameter', 'sort')
      return property ? [{ property, isDescending: text.startsWith('-') }] : []
    }),
    pageNumber: view.isPlain ? 1 : readPage('pageNumber', valuesOf('pageNumber'), 1, Number.MAX_SAFE_INTEGER, faults),
    pageSize: view.isPlain ? 1 : readPage('pageSize', valuesOf('pageSize'), 10, 1000, faults),
  }
}

/** The body of a list of these records. */
export function listBody(
  world: World,
  view: View,
  suffix: string,
  members: readonly Row[],
  listQuery: ListQuery,
): unknown {
  const id = (row: Row) => identityOf(view.noun, row)
  const rows = members.filter(
    (row) => listQuery.include.includes(id(row)) || listQuery.tests.every((test) => test(row)),
  )
  const sorted = rows.sort((a, b) => {
    for (const { property, isDescending } of listQuery.sort) {
      const difference = compareValues(a[property.field] as Value, b[property.field] as Value)
      if (difference !== 0) return isDescending ? -difference : difference
    }
    return id(a) - id(b)
  })
  if (view.isPlain) return sorted.map((row) => listItemOf(world, view, suffix, row))
  const results: unknown[] = []
  sorted.forEach((row, index) => {
    if (Math.floor(index / listQuery.pageSize) === listQuery.pageNumber - 1)
      results.push(listItemOf(world, view, suffix, row))
  })
  const { pageSize, pageNumber } = listQuery
  const numberOfPages = Math.ceil(sorted.length / pageSize)
  return { pageInfo: { pageSize, pageNumber, numberOfPages, numberOfRecords: sorted.length }, results }
}

function isParameter(view: View, name: string): boolean {
  if (propertyOf(view, name) || name === 'include' || name === 'sort') return true
  if (name === 'pageNumber' || name === 'pageSize') return !view.isPlain
  if (name === 'search') return view.search !== undefined
  return view.hasRange === true && (name === 'createdOrUpdatedFrom' || name === 'createdOrUpdatedTo')
}

function filter(view: View, property: Property, texts: readonly string[], faults: Faults): Test | undefined {
  if (texts.length === 0) {
    const { defaultFilter } = view
    return defaultFilter?.property === property.name ? (row) => row[property.field] === defaultFilter.value : undefined
  }
  const values = texts.map((text) => readFilter(property, text))
  if (values.includes(undefined)) faults.add('invalid-parameter', property.name)
  return (row) => values.includes(row[property.field] as Value)
}

/** The value of a filter, or undefined if the text has the wrong type. */
function readFilter({ type, isNullable }: Property, text: string): Value | undefined {
  if (text === '' && isNullable) return null
  if (!isStorable(text)) return undefined
  if (type === 'identity' || type === 'reference') return readInteger(text)
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  if (type === 'choice') return text === 'ACTIVE' || text === 'SUSPENDED' ? text : undefined
  if (type === 'moment') return readTimestamp(text)
  if (type === 'guid') return isGuid(text) ? text.toLowerCase() : undefined
  return text
}

/** The creation or the last change lies within both bounds. */
function range(froms: readonly string[], tos: readonly string[], faults: Faults): Test {
  const [from, to] = [froms.at(-1), tos.at(-1)].map((text) =>
    text === undefined ? undefined : readTimestamp(isCalendarDay(text) ? `${text}T00:00:00.000Z` : text),
  )
  if (froms.length > 0 && from === undefined) faults.add('invalid-parameter', 'createdOrUpdatedFrom')
  if (tos.length > 0 && to === undefined) faults.add('invalid-parameter', 'createdOrUpdatedTo')
  return (row) =>
    [String(row.created), String(row.lastUpdated)].some(
      (event) => (from === undefined || event >= from) && (to === undefined || event < to),
    )
}

function search(view: View, texts: readonly string[], faults: Faults): Test {
  if (!texts.every(isStorable)) faults.add('invalid-parameter', 'search')
  const fields = (view.search as readonly string[]).map((name) => (propertyOf(view, name) as Property).field)
  return (row) => texts.some((text) => fields.some((field) => foldCase(String(row[field])).includes(foldCase(text))))
}

function readPage(name: string, texts: readonly string[], fallback: number, maximum: number, faults: Faults): number {
  const [text, ...furtherTexts] = texts
  if (text === undefined) return fallback
  const value = readInteger(text)
  if (furtherTexts.length === 0 && value !== undefined && value >= 1 && value <= maximum) return value
  faults.add('invalid-parameter', name)
  return fallback
}
