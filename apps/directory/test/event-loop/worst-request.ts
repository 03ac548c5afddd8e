/** The slowest requests of an operation, derived from the operation table: as much input as the service accepts. */
import type { FieldSpec, ListParameter, Operation } from '@nomen/core'

export interface WorstRequest {
  readonly name: string
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** The request line and the headers of a request have at most 16 KiB. */
const longestQuery = 15_000

/** With `isFirst`, the first list of these records, each filter is also tested on its own. */
export function worstRequests(operation: Operation, isFirst: boolean): readonly WorstRequest[] {
  const { method, path, kind } = operation
  const target = path.replaceAll(/\{[^}]+\}/g, '1')
  const plain = { name: 'unchanged', method, target, headers: {} }
  if (kind === 'list') {
    return queriesOf(operation, isFirst).map(([name, query]) => ({ ...plain, name, target: `${target}?${query}` }))
  }
  if (kind === 'lookup')
    return [plain, { ...plain, name: 'a long key', target: target.replace(/1$/, 'a'.repeat(longestQuery)) }]
  if (!operation.body) return [plain]
  const headers = { 'content-type': 'application/json' }
  return bodiesOf(operation).map(([name, body]) => ({ ...plain, name, headers, body }))
}

type Query = readonly [what: string, query: string]

function queriesOf({ list }: Operation, isFirst: boolean): readonly Query[] {
  const parameters = list?.parameters ?? []
  const queriesFor = (kinds: readonly ListParameter['kind'][]) =>
    parameters.filter(({ kind }) => kinds.includes(kind)).map((parameter) => valuesOf(parameter))
  const sorts = queriesFor(['sort'])
  const search = queriesFor(['search'])
  const include = queriesFor(['include'])
  const filters = queriesFor(['equal', 'range'])
  const page = list?.isPaginated ? ['pageSize=1000'] : []
  const deep = list?.isPaginated ? ['pageSize=1000', 'pageNumber=990'] : []
  const firstValues = filters.map((values) => values.split('&', 1)[0] as string)
  const queries: Query[] = [
    ['as it is', ''],
    ['a large page', joinQuery(page)],
    ['a deep page', joinQuery(deep)],
    ['a page beyond the end', list?.isPaginated ? 'pageNumber=9007199254740991&pageSize=1000' : ''],
    ['all sorts', joinQuery([...sorts, ...page])],
    ['all sorts, a deep page', joinQuery([...sorts, ...deep])],
    ['a search', joinQuery([...search, ...page])],
    ['a search for one text', joinQuery([...search.map((texts) => texts.split('&', 1)[0] as string), ...page])],
    ['all filters', joinQuery([...firstValues, ...page])],
    ['include', joinQuery([firstValues.at(-1) ?? '', ...include, ...page])],
    ['a search, sorts, a deep page', joinQuery([...search, ...sorts, ...deep])],
    ['everything', joinQuery([...search, ...sorts, ...firstValues, ...deep, ...include])],
    ...(isFirst ? firstValues : []).map((filter): Query => [filter.slice(0, 40), joinQuery([filter, ...deep])]),
    ...(isFirst ? filters : []).map(
      (filter): Query => [`${filter.slice(0, 20)}, many values`, joinQuery([filter, ...sorts, ...page])],
    ),
  ]
  return [...new Map(queries.map((query) => [query[1], query])).values()]
}

/** As many values as the parameter accepts. The first value matches many records, if possible. */
function valuesOf(parameter: ListParameter): string {
  const repeated = (count: number, value: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => `${parameter.name}=${encodeURIComponent(value(index))}`).join('&')
  switch (parameter.kind) {
    case 'sort':
      return [...parameter.fields.keys()].map((name) => `sort=-${name}`).join('&')
    case 'include':
      return repeated(parameter.maxValues, (index) => `${index * 997 + 1}`)
    case 'search':
      // The slowest case of a search: each text matches nearly everywhere in a long text, but never completely.
      return repeated(parameter.maxValues, (index) => `${'a'.repeat(parameter.maxLength - 1)}${index}`)
    case 'equal':
      return repeated(parameter.maxValues, (index) => equalValue(parameter.spec, index))
    case 'range':
      return repeated(1, () => '2025-01-01T00:00:00.000Z')
    default:
      return ''
  }
}

function equalValue({ kind, choices, nullable }: FieldSpec, index: number): string {
  if (nullable && index === 0) return ''
  if (choices) return `${choices[index % choices.length]}`
  if (kind === 'boolean') return `${index % 2 === 0}`
  if (kind === 'timestamp') return '2026-01-01T00:00:00.000Z'
  return kind === 'identity' || kind === 'reference' || kind === 'integer'
    ? `${index + 1}`
    : `Ada${index === 0 ? '' : index}`
}

/** Joins texts to a query, and truncates it to the maximum length. */
function joinQuery(texts: readonly string[]): string {
  const query = texts.filter((text) => text !== '').join('&')
  return query.length <= longestQuery ? query : query.slice(0, query.lastIndexOf('&', longestQuery))
}

const megabyte = 1_040_000

function bodiesOf({ body }: Operation): readonly (readonly [what: string, body: Buffer])[] {
  const [name = 'id'] = body?.properties.map((property) => property.name) ?? []
  const unknownProperties = Array.from({ length: 70_000 }, (_, index) => `"p${index}":${index}`).join()
  return [
    ['an empty object', Buffer.from('{}')],
    ['a long text', Buffer.from(JSON.stringify({ [name]: 'a'.repeat(megabyte) }))],
    ['a text of control characters', Buffer.from(JSON.stringify({ [name]: '\n\u0001'.repeat(megabyte / 8) }))],
    ['many unknown properties', Buffer.from(`{${unknownProperties}}`)],
    ['deep arrays', Buffer.from(`{"${name}":${'['.repeat(megabyte / 2)}${']'.repeat(megabyte / 2)}}`)],
    ['deep objects', Buffer.from(`${'{"a":'.repeat(megabyte / 6)}1${'}'.repeat(megabyte / 6)}`)],
    ['many numbers', Buffer.from(`{"${name}":[${'1e9,'.repeat(megabyte / 4)}1]}`)],
    ['invalid UTF-8', Buffer.alloc(megabyte, 0xff)],
    ['invalid JSON', Buffer.from(`{"${name}":"${'\\u0041'.repeat(megabyte / 6)}`)],
  ]
}
