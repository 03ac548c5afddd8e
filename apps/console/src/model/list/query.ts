/** The query of a list, the same in the URL of the page and in the request. */
import type { Filter } from './filter.ts'

export interface Sort {
  readonly name: string
  readonly isDescending: boolean
}

export function sortsOf(query: URLSearchParams): readonly Sort[] {
  return query.getAll('sort').map((text) => ({ name: text.replace(/^-/, ''), isDescending: text.startsWith('-') }))
}

/** Ascending, descending, unsorted. Other sort fields stay only if `isAdded`. */
export function toggleSort(query: URLSearchParams, name: string, isAdded: boolean): URLSearchParams {
  const sorts = sortsOf(query)
  const known = sorts.find((sort) => sort.name === name)
  const next = known === undefined ? [name] : known.isDescending ? [] : [`-${name}`]
  const others = isAdded ? sorts.filter((sort) => sort.name !== name) : []
  const all = [...others.map((other) => `${other.isDescending ? '-' : ''}${other.name}`), ...next]
  return withValues(query, 'sort', all)
}

/** Replaces the values of a parameter and returns to the first page. */
export function withValues(query: URLSearchParams, name: string, values: readonly string[]): URLSearchParams {
  const next = new URLSearchParams(query)
  next.delete(name)
  for (const value of values) next.append(name, value)
  if (name !== 'pageNumber') next.delete('pageNumber')
  return next
}

/** Removes filters and search; keeps sort and page size. */
export function withoutFilters(query: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams()
  for (const name of ['pageSize', 'sort']) for (const value of query.getAll(name)) next.append(name, value)
  return next
}

/** Parameters for all records of a list, also those that its default filters hide. */
export function withHidden(filters: readonly Filter[], query: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const { defaults, field, names } of filters) {
    if (!defaults || names[0] === undefined || next.has(names[0])) continue
    for (const value of field.kind === 'boolean' ? [true, false] : field.choices) next.append(names[0], `${value}`)
  }
  return next
}

export function addressOf(path: string, query: URLSearchParams | undefined = undefined): string {
  const text = query ? `${query}` : ''
  return text === '' ? path : `${path}?${text}`
}
