/** The worst requests of an operation, made from its row in the table: as much of everything as the service takes. */
import type { FieldSpec, ListParameter, Operation } from '@nomen/core'

export interface WorstRequest {
  readonly what: string
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** The request line and the headers of a request may have 16 KiB. */
const longestQuery = 15_000

/** `isFirst` is whether no other list of the same records was tried before: then each filter is tried for itself. */
export function worstRequests(operation: Operation, isFirst: boolean): readonly WorstRequest[] {
  const { method, path, kind } = operation
  const target = path.replaceAll(/\{[^}]+\}/g, '1')
  const plain = { what: 'as it is', method, target, headers: {} }
  if (kind === 'list') {
    return queriesOf(operation, isFirst).map(([what, query]) => ({ ...plain, what, target: `${target}?${query}` }))
  }
  if (kind === 'lookup')
    return [plain, { ...plain, what: 'a long key', target: target.replace(/1$/, 'a'.repeat(longestQuery)) }]
  if (!operation.body) return [plain]
  const headers = { 'content-type': 'application/json' }
  return bodiesOf(operation).map(([what, body]) => ({ ...plain, what, headers, body }))
}

type Query = readonly [what: string, query: string]

function queriesOf({ list }: Operation, isFirst: boolean): readonly Query[] {
  const parameters = list?.parameters ?? []
  const all = (kinds: readonly ListParameter['kind'][]) =>
    parameters.filter(({ kind }) => kinds.includes(kind)).map((parameter) => valuesOf(parameter))
  const sorts = all(['sort'])
  const search = all(['search'])
  const include = all(['include'])
  const filters = all(['equal', 'range'])
  const page = list?.isPaginated ? ['pageSize=1000'] : []
  const deep = list?.isPaginated ? ['pageSize=1000', 'pageNumber=990'] : []
  const few = filters.map((values) => values.split('&', 1)[0] as string)
  const queries: Query[] = [
    ['as it is', ''],
    ['a large page', joined(page)],
    ['a deep page', joined(deep)],
    ['a page beyond the end', list?.isPaginated ? 'pageNumber=9007199254740991&pageSize=1000' : ''],
    ['all sorts', joined([...sorts, ...page])],
    ['all sorts, a deep page', joined([...sorts, ...deep])],
    ['a search', joined([...search, ...page])],
    ['a search for one text', joined([...search.map((texts) => texts.split('&', 1)[0] as string), ...page])],
    ['all filters', joined([...few, ...page])],
    ['include', joined([few.at(-1) ?? '', ...include, ...page])],
    ['a search, sorts, a deep page', joined([...search, ...sorts, ...deep])],
    ['everything', joined([...search, ...sorts, ...few, ...deep, ...include])],
    ...(isFirst ? few : []).map((filter): Query => [filter.slice(0, 40), joined([filter, ...deep])]),
    ...(isFirst ? filters : []).map(
      (filter): Query => [`${filter.slice(0, 20)}, many values`, joined([filter, ...sorts, ...page])],
    ),
  ]
  return [...new Map(queries.map((query) => [query[1], query])).values()]
}

/** As many as the parameter takes. The first of them fits many records, where that can be. */
function valuesOf(parameter: ListParameter): string {
  const repeated = (count: number, value: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => `${parameter.name}=${encodeURIComponent(value(at))}`).join('&')
  switch (parameter.kind) {
    case 'sort':
      return [...parameter.fields.keys()].map((name) => `sort=-${name}`).join('&')
    case 'include':
      return repeated(parameter.maxValues, (at) => `${at * 997 + 1}`)
    case 'search':
      // The worst for a search: each text fits nearly everywhere in a long text, and nowhere completely.
      return repeated(parameter.maxValues, (at) => `${'a'.repeat(parameter.maxLength - 1)}${at}`)
    case 'equal':
      return repeated(parameter.maxValues, (at) => equalValue(parameter.spec, at))
    case 'range':
      return repeated(1, () => '2025-01-01T00:00:00.000Z')
    default:
      return ''
  }
}

function equalValue({ kind, choices, nullable }: FieldSpec, at: number): string {
  if (nullable && at === 0) return ''
  if (choices) return `${choices[at % choices.length]}`
  if (kind === 'boolean') return `${at % 2 === 0}`
  if (kind === 'timestamp') return '2026-01-01T00:00:00.000Z'
  return kind === 'identity' || kind === 'reference' || kind === 'integer' ? `${at + 1}` : `Ada${at === 0 ? '' : at}`
}

/** Texts joined as one query, cut where it would be too long. */
function joined(texts: readonly string[]): string {
  const query = texts.filter((text) => text !== '').join('&')
  return query.length <= longestQuery ? query : query.slice(0, query.lastIndexOf('&', longestQuery))
}

const megabyte = 1_040_000

function bodiesOf({ body }: Operation): readonly (readonly [what: string, body: Buffer])[] {
  const [name = 'id'] = body?.properties.map((property) => property.name) ?? []
  const many = Array.from({ length: 70_000 }, (_, at) => `"p${at}":${at}`).join()
  return [
    ['an empty object', Buffer.from('{}')],
    ['a long text', Buffer.from(JSON.stringify({ [name]: 'a'.repeat(megabyte) }))],
    ['a text of control characters', Buffer.from(JSON.stringify({ [name]: '\n\u0001'.repeat(megabyte / 8) }))],
    ['many unknown properties', Buffer.from(`{${many}}`)],
    ['deep arrays', Buffer.from(`{"${name}":${'['.repeat(megabyte / 2)}${']'.repeat(megabyte / 2)}}`)],
    ['deep objects', Buffer.from(`${'{"a":'.repeat(megabyte / 6)}1${'}'.repeat(megabyte / 6)}`)],
    ['many numbers', Buffer.from(`{"${name}":[${'1e9,'.repeat(megabyte / 4)}1]}`)],
    ['no UTF-8', Buffer.alloc(megabyte, 0xff)],
    ['no JSON', Buffer.from(`{"${name}":"${'\\u0041'.repeat(megabyte / 6)}`)],
  ]
}
