/** The roles of query parameters of a list. */
import { wordsOf } from '../../naming/words.ts'
import type { DescribedParameter } from './operation.ts'

/** The role of a query parameter of a list. */
export type ParameterRole = 'page' | 'sort' | 'search' | 'include' | 'filter'

/** One bound of a range: `createdFrom` and `createdTo` are those of `created`. */
export interface ParameterRange {
  readonly name: string
  readonly bound: 'from' | 'to'
}

/** As the conventions name them. */
const reserved: Readonly<Record<string, ParameterRole>> = {
  pageNumber: 'page',
  pageSize: 'page',
  sort: 'sort',
  search: 'search',
  include: 'include',
}

/** As other APIs name them, in words. */
const commonNames: readonly (readonly [ParameterRole, ReadonlySet<string>])[] = [
  [
    'page',
    new Set([
      ...['page', 'page number', 'page no', 'page num', 'page index', 'page offset', 'offset', 'skip'],
      ...['page size', 'page limit', 'per page', 'size', 'limit', 'count', 'max results', 'top'],
      ...['cursor', 'page cursor', 'page token', 'starting after'],
    ]),
  ],
  ['sort', new Set(['sort', 'sort by', 'sort order', 'order', 'order by'])],
  ['search', new Set(['search', 'q', 'query'])],
]

/** The probable role of a query parameter by its name, in any notation: `per_page` is `page`. */
function usualRole(name: string): ParameterRole {
  const words = wordsOf(name).join(' ')
  return commonNames.find(([, names]) => names.has(words))?.[0] ?? 'filter'
}

/** The role of a parameter. A parameter with the name of a property is a filter, unless the conventions reserve the name. */
export function parameterRole(name: string, properties: ReadonlySet<string>): ParameterRole {
  return (
    (Object.hasOwn(reserved, name) ? reserved[name] : undefined) ?? (properties.has(name) ? 'filter' : usualRole(name))
  )
}

/** The range of a parameter: from the document, or two parameters of a date or a property that end in From and To. */
export function parameterRange(
  { name, raw, shape }: DescribedParameter,
  names: ReadonlySet<string>,
  properties: ReadonlySet<string>,
): ParameterRange | undefined {
  const [, stem, end] = /^(.+?)(From|To)$/.exec(name) ?? []
  const bound = end === 'To' ? 'to' : 'from'
  const rangeName = raw['x-nomen-range']
  if (typeof rangeName === 'string') return { name: rangeName, bound }
  if (stem === undefined || !names.has(`${stem}${end === 'To' ? 'From' : 'To'}`)) return undefined
  const isDate = shape.schema.format === 'date' || shape.schema.format === 'date-time'
  return isDate || properties.has(stem) ? { name: stem, bound } : undefined
}
