/** The query of a list, as it stands in the address and in the request: one and the same text. */

export interface Sort {
  readonly name: string
  readonly isDescending: boolean
}

export function sortsOf(query: URLSearchParams): readonly Sort[] {
  return query.getAll('sort').map((text) => ({ name: text.replace(/^-/, ''), isDescending: text.startsWith('-') }))
}

/** Ascending first, then descending, then as it was. Other properties go on sorting only where someone adds to them. */
export function toggleSort(query: URLSearchParams, name: string, isAdded: boolean): URLSearchParams {
  const sorts = sortsOf(query)
  const known = sorts.find((one) => one.name === name)
  const next = known === undefined ? [name] : known.isDescending ? [] : [`-${name}`]
  const others = isAdded ? sorts.filter((one) => one.name !== name) : []
  const all = [...others.map((one) => `${one.isDescending ? '-' : ''}${one.name}`), ...next]
  return withValues(query, 'sort', all)
}

/** The query with these values of a parameter and no others; the page then begins anew. */
export function withValues(query: URLSearchParams, name: string, values: readonly string[]): URLSearchParams {
  const next = new URLSearchParams(query)
  next.delete(name)
  for (const value of values) next.append(name, value)
  if (name !== 'pageNumber') next.delete('pageNumber')
  return next
}

/** Without filters and search: only how it is shown stays. */
export function withoutFilters(query: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams()
  for (const name of ['pageSize', 'sort']) for (const value of query.getAll(name)) next.append(name, value)
  return next
}

export function addressOf(path: string, query: URLSearchParams | undefined = undefined): string {
  const text = query ? `${query}` : ''
  return text === '' ? path : `${path}?${text}`
}
