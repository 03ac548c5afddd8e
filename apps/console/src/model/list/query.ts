/** The query of a list in the URL of the page: that of the request, with the shown columns and presets of time. */
import { type Filter, parametersOf } from './filter.ts'
import { isPreset, presetStart } from './preset.ts'

/** The parameters with the shown columns, the saved view, and the list of a record. They are not sent: no property begins with an underscore. */
export const columnsParameter = '_columns'
const viewParameter = '_view'
/** The list of referencing records that the page of a record shows. */
export const listParameter = '_list'
const ownParameters = [columnsParameter, viewParameter, listParameter]

/** Parameters that are not filters. */
const notFilters = ['pageNumber', 'pageSize', 'sort', ...ownParameters]

export interface Sort {
  readonly name: string
  readonly isDescending: boolean
}

export function sortsOf(query: URLSearchParams): readonly Sort[] {
  return query.getAll('sort').map((text) => ({ name: text.replace(/^-/, ''), isDescending: text.startsWith('-') }))
}

/** Ascending, descending, unsorted. Other sort fields stay, in their order, only if `keepsOthers`. */
export function toggleSort(query: URLSearchParams, name: string, keepsOthers: boolean): URLSearchParams {
  const sorts = sortsOf(query).filter((sort) => keepsOthers || sort.name === name)
  if (!sorts.some((sort) => sort.name === name)) return withSorts(query, [...sorts, { name, isDescending: false }])
  const toggle = (sort: Sort) => (sort.isDescending ? [] : [{ name, isDescending: true }])
  return withSorts(
    query,
    sorts.flatMap((sort) => (sort.name === name ? toggle(sort) : [sort])),
  )
}

export function withSorts(query: URLSearchParams, sorts: readonly Sort[]): URLSearchParams {
  return withValues(query, 'sort', sorts.map(sortText))
}

function sortText({ name, isDescending }: Sort): string {
  return `${isDescending ? '-' : ''}${name}`
}

/** Replaces the values of a parameter and returns to the first page. */
export function withValues(query: URLSearchParams, name: string, values: readonly string[]): URLSearchParams {
  const next = new URLSearchParams(query)
  next.delete(name)
  for (const value of values) next.append(name, value)
  if (name !== 'pageNumber') next.delete('pageNumber')
  return next
}

/** The query of another page. A link to a page names its size, because readers choose different ones. */
export function withPage(query: URLSearchParams, page: number, size: number): URLSearchParams {
  if (page === 1) return withValues(query, 'pageNumber', [])
  return withValues(withValues(query, 'pageSize', [`${size}`]), 'pageNumber', [`${page}`])
}

/** Removes parameters and returns to the first page. */
export function withoutParameters(query: URLSearchParams, names: readonly string[]): URLSearchParams {
  return names.reduce((next, name) => withValues(next, name, []), query)
}

/** Adds an exact value to those of a filter, or replaces its value if it takes only one. */
export function withFilterValue(query: URLSearchParams, filter: Filter, value: string): URLSearchParams {
  const { exact, isRepeatable } = filter
  if (exact === undefined) return query
  const values = isRepeatable ? query.getAll(exact) : []
  return withValues(withoutParameters(query, parametersOf(filter)), exact, [...new Set([...values, value])])
}

/** Parameters that belong to no filter, such as `include`, and misspelled ones. */
export function otherParameters(filters: readonly Filter[], query: URLSearchParams): readonly string[] {
  const known = [...notFilters, 'search', ...filters.flatMap(parametersOf)]
  return [...new Set(query.keys())].filter((name) => !known.includes(name))
}

/** Removes filters and search; keeps sort, page size and columns. */
export function withoutFilters(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => name !== 'pageNumber' && notFilters.includes(name)))
}

/** Whether the query has filters or a search. */
export function isFiltered(query: URLSearchParams): boolean {
  return [...query.keys()].some((name) => !notFilters.includes(name))
}

/** The columns that the URL names; undefined if it names none. */
export function columnNames(query: URLSearchParams): readonly string[] | undefined {
  return query.get(columnsParameter)?.split(' ')
}

/** Undefined removes the columns. The page stays the same. */
export function withColumns(query: URLSearchParams, names: readonly string[] | undefined): URLSearchParams {
  const next = new URLSearchParams(query)
  if (names) next.set(columnsParameter, names.join(' '))
  else next.delete(columnsParameter)
  return next
}

/** The ID of the saved view that the list was opened with. */
export function viewIdOf(query: URLSearchParams): string | undefined {
  return query.get(viewParameter) ?? undefined
}

/** Undefined leaves the view. */
export function withView(query: URLSearchParams, id: string | undefined): URLSearchParams {
  const next = new URLSearchParams([...query].filter(([name]) => name !== viewParameter))
  if (id !== undefined) next.set(viewParameter, id)
  return next
}

/** The query that a saved view keeps: everything except the page, with the columns and the page size. */
export function savedQuery(
  query: URLSearchParams,
  names: readonly string[],
  size: number | undefined,
): URLSearchParams {
  const next = withColumns(withView(query, undefined), names)
  next.delete('pageNumber')
  if (size !== undefined) next.set('pageSize', `${size}`)
  next.sort()
  return next
}

/** The query of the request: without columns and view, and with the days that presets stand for. */
export function requestQuery(filters: readonly Filter[], query: URLSearchParams): URLSearchParams {
  const bounds = new Map(filters.flatMap(({ range, field }) => (range?.from ? [[range.from, field.kind]] : [])))
  return new URLSearchParams(
    [...query].flatMap(([name, value]) => {
      if (ownParameters.includes(name)) return []
      return [[name, isPreset(value) && bounds.has(name) ? presetStart(value, bounds.get(name)) : value]]
    }),
  )
}

export interface WholeQuery {
  readonly query: URLSearchParams
  /** Whether a default filter still hides records, because its field has too many values to name them all. */
  readonly hidesRecords: boolean
}

/** Parameters for all records of a list, also those that its default filters hide. */
export function withHidden(filters: readonly Filter[], query: URLSearchParams): WholeQuery {
  const next = new URLSearchParams(query)
  let hidesRecords = false
  for (const { defaults, field, exact } of filters) {
    if (!defaults || exact === undefined || next.has(exact)) continue
    const values = field.kind === 'boolean' ? [true, false] : field.choices
    if (values.length === 0) hidesRecords = true
    // An empty value selects the records without one.
    else for (const value of [...values, ...(field.isNullable ? [''] : [])]) next.append(exact, `${value}`)
  }
  return { query: next, hidesRecords }
}

export function addressOf(path: string, query: URLSearchParams | undefined = undefined): string {
  const text = query ? `${query}` : ''
  return text === '' ? path : `${path}?${text}`
}
