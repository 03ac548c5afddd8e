/** Lists: the model's own reading of filters, include, search, sort and pages. */
import { type Face, item, type Property, propertyOf } from './face.ts'
import type { Faults } from './refusal.ts'
import { folded, isDay, isStorable, order, readInteger, readMoment, type Value } from './value.ts'
import { identityOf, type Row, type World } from './world.ts'

export type Query = readonly (readonly [name: string, value: string])[]

type Test = (row: Row) => boolean

/** What a list's query asks for. */
export interface ListAsk {
  tests: readonly Test[]
  include: readonly number[]
  sort: readonly { property: Property; isDescending: boolean }[]
  pageNumber: number
  pageSize: number
}

export function readListQuery(face: Face, query: Query, faults: Faults): ListAsk {
  const given = (name: string) => query.filter(([other]) => other === name).map(([, value]) => value)
  for (const [name] of query) if (!isParameter(face, name)) faults.add('unknown-parameter', name)
  // A plain array has no pages: whether its page parameters are unknown or do not fit is the same to a client.
  if (face.isPlain && given('pageNumber').concat(given('pageSize')).length > 0) faults.add('invalid-parameter')
  const tests: Test[] = []
  for (const property of face.properties) {
    const test = filter(face, property, given(property.name), faults)
    if (test) tests.push(test)
  }
  if (face.hasRange) tests.push(range(given('createdOrUpdatedFrom'), given('createdOrUpdatedTo'), faults))
  if (face.search && given('search').length > 0) tests.push(search(face, given('search'), faults))
  return {
    tests,
    include: given('include').map((text) => {
      const id = readInteger(text)
      if (id === undefined) faults.add('invalid-parameter', 'include')
      return id ?? 0
    }),
    sort: given('sort').flatMap((text) => {
      const property = propertyOf(face, text.replace(/^-/, ''))
      if (!property) faults.add('invalid-parameter', 'sort')
      return property ? [{ property, isDescending: text.startsWith('-') }] : []
    }),
    pageNumber: face.isPlain ? 1 : readPage('pageNumber', given('pageNumber'), 1, Number.MAX_SAFE_INTEGER, faults),
    pageSize: face.isPlain ? 1 : readPage('pageSize', given('pageSize'), 10, 1000, faults),
  }
}

/** The body of a list, given the records that stand in the collection. */
export function listed(world: World, face: Face, suffix: string, members: readonly Row[], ask: ListAsk): unknown {
  const id = (row: Row) => identityOf(face.noun, row)
  const found = members.filter((row) => ask.include.includes(id(row)) || ask.tests.every((test) => test(row)))
  const sorted = found.sort((a, b) => {
    for (const { property, isDescending } of ask.sort) {
      const difference = order(a[property.field] as Value, b[property.field] as Value)
      if (difference !== 0) return isDescending ? -difference : difference
    }
    return id(a) - id(b)
  })
  if (face.isPlain) return sorted.map((row) => item(world, face, suffix, row))
  const results: unknown[] = []
  sorted.forEach((row, index) => {
    if (Math.floor(index / ask.pageSize) === ask.pageNumber - 1) results.push(item(world, face, suffix, row))
  })
  const { pageSize, pageNumber } = ask
  const numberOfPages = Math.ceil(sorted.length / pageSize)
  return { pageInfo: { pageSize, pageNumber, numberOfPages, numberOfRecords: sorted.length }, results }
}

function isParameter(face: Face, name: string): boolean {
  if (propertyOf(face, name) || name === 'include' || name === 'sort') return true
  if (name === 'pageNumber' || name === 'pageSize') return !face.isPlain
  if (name === 'search') return face.search !== undefined
  return face.hasRange === true && (name === 'createdOrUpdatedFrom' || name === 'createdOrUpdatedTo')
}

function filter(face: Face, property: Property, texts: readonly string[], faults: Faults): Test | undefined {
  if (texts.length === 0) {
    const { defaultFilter } = face
    return defaultFilter?.property === property.name ? (row) => row[property.field] === defaultFilter.value : undefined
  }
  const values = texts.map((text) => readFilter(property, text))
  if (values.includes(undefined)) faults.add('invalid-parameter', property.name)
  return (row) => values.includes(row[property.field] as Value)
}

/** The value to look for, or undefined where the text is of the wrong type. A wrong format only finds nothing. */
function readFilter({ type, isNullable }: Property, text: string): Value | undefined {
  if (text === '' && isNullable) return null
  if (!isStorable(text)) return undefined
  if (type === 'identity' || type === 'reference') return readInteger(text)
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  if (type === 'choice') return text === 'ACTIVE' || text === 'SUSPENDED' ? text : undefined
  if (type === 'moment') return readMoment(text) ?? text
  return type === 'guid' ? text.toLowerCase() : text
}

/** One event, the creation or the last change, lies within both bounds. */
function range(froms: readonly string[], tos: readonly string[], faults: Faults): Test {
  const [from, to] = [froms.at(-1), tos.at(-1)].map((text) =>
    text === undefined ? undefined : readMoment(isDay(text) ? `${text}T00:00:00.000Z` : text),
  )
  if (froms.length > 0 && from === undefined) faults.add('invalid-parameter', 'createdOrUpdatedFrom')
  if (tos.length > 0 && to === undefined) faults.add('invalid-parameter', 'createdOrUpdatedTo')
  return (row) =>
    [String(row.created), String(row.lastUpdated)].some(
      (event) => (from === undefined || event >= from) && (to === undefined || event < to),
    )
}

function search(face: Face, texts: readonly string[], faults: Faults): Test {
  if (!texts.every(isStorable)) faults.add('invalid-parameter', 'search')
  const fields = (face.search as readonly string[]).map((name) => (propertyOf(face, name) as Property).field)
  return (row) => texts.some((text) => fields.some((field) => folded(String(row[field])).includes(folded(text))))
}

function readPage(name: string, texts: readonly string[], fallback: number, maximum: number, faults: Faults): number {
  const [text, ...more] = texts
  if (text === undefined) return fallback
  const value = readInteger(text)
  if (more.length === 0 && value !== undefined && value >= 1 && value <= maximum) return value
  faults.add('invalid-parameter', name)
  return fallback
}
