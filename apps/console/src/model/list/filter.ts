/** The filters of a list, from its parameters. */

import type { DocumentParameter } from '@nomen/core/openapi'
import { type Field, fieldOf } from '../record/field.ts'
import type { Operation } from '../service/operation.ts'
import { title } from '../title.ts'

/** The filter of one property, with the comparisons that the parameters of the list offer. */
export interface Filter {
  /** The property or the range: `status`, `createdOrUpdated`. */
  readonly name: string
  readonly title: string
  /** The field of its values. */
  readonly field: Field
  /** The parameter for exact values; undefined if the list has only a range. */
  readonly exact: string | undefined
  /** Several exact values match any of them. */
  readonly isRepeatable: boolean
  readonly range: FilterRange | undefined
  /** The values that apply without the parameter. */
  readonly defaults: readonly unknown[] | undefined
  readonly description: string | undefined
}

/** The parameters for the two ends of a range. */
export interface FilterRange {
  readonly from?: string
  readonly to?: string
}

/** `is`: one of some exact values; `range`: between two values; `none`: without a value. */
export type Operator = 'is' | 'range' | 'none'

/** The comparisons that the service declares. Among options, "none" is an option and not an operator. */
export function operatorsOf({ exact, range, field }: Filter): readonly Operator[] {
  const hasOptions = ['boolean', 'choice', 'reference'].includes(field.kind)
  return [
    ...(range ? (['range'] as const) : []),
    ...(exact !== undefined ? (['is'] as const) : []),
    ...(exact !== undefined && field.isNullable && !hasOptions ? (['none'] as const) : []),
  ]
}

/** The parameters of a filter. */
export function parametersOf({ exact, range }: Filter): readonly string[] {
  return [exact, range?.from, range?.to].filter((name) => name !== undefined)
}

export interface ListParameters {
  readonly filters: readonly Filter[]
  readonly sortable: ReadonlySet<string>
  readonly hasSearch: boolean
  readonly hasInclude: boolean
  readonly pageSize: { readonly default: number; readonly maximum: number } | undefined
}

/** Reads the parameters of a list. `fields` are those of the record, which describe a value better than a parameter. */
export function listParametersOf({ parameters }: Operation, fields: readonly Field[]): ListParameters {
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const queryParameter = (name: string) => query.find((parameter) => parameter.name === name)
  const size = queryParameter('pageSize')?.shape.schema ?? {}
  return {
    filters: filtersOf(query, fields),
    sortable: new Set(sortNames(queryParameter('sort'))),
    hasSearch: queryParameter('search') !== undefined,
    hasInclude: queryParameter('include') !== undefined,
    pageSize: queryParameter('pageSize') && {
      default: typeof size.default === 'number' ? size.default : 10,
      maximum: typeof size.maximum === 'number' ? size.maximum : 100,
    },
  }
}

function sortNames(sort: DocumentParameter | undefined): readonly string[] {
  const { enum: choices } = (sort?.shape.items ?? sort?.shape)?.schema ?? {}
  return Array.isArray(choices) ? choices.map((name) => `${name}`.replace(/^-/, '')) : []
}

function filtersOf(query: readonly DocumentParameter[], fields: readonly Field[]): readonly Filter[] {
  const filters = new Map<string, Filter>()
  for (const parameter of query) {
    const { name, role, range, shape } = parameter
    if (role !== 'filter') continue
    const isRepeatable = shape.type === 'array'
    const field = valueField(fieldOf(name, isRepeatable ? shape.items : shape), fields)
    const key = range?.name ?? name
    const existing = filters.get(key)
    if (range) {
      const bounds = { ...existing?.range, [range.bound]: name }
      const bound = filterOf(key, { ...field, title: title(key) }, parameter)
      filters.set(key, { ...(existing ?? { ...bound, exact: undefined }), range: bounds })
    } else {
      const { range: bounds } = existing ?? {}
      filters.set(key, { ...filterOf(key, field, parameter), exact: name, isRepeatable, range: bounds })
    }
  }
  return [...filters.values()]
}

/** The field of the record knows what a reference points at; the parameter knows which values are allowed. */
function valueField(field: Field, fields: readonly Field[]): Field {
  const { reference } = fields.find(({ name }) => name === field.name) ?? {}
  return reference === undefined ? field : { ...field, kind: 'reference', reference }
}

function filterOf(name: string, field: Field, { raw }: DocumentParameter): Filter {
  const defaults = raw['x-nomen-default-filter']
  return {
    name,
    title: field.title,
    field,
    exact: name,
    isRepeatable: false,
    range: undefined,
    defaults: Array.isArray(defaults) ? defaults : undefined,
    description: typeof raw.description === 'string' ? raw.description : undefined,
  }
}
