/** The filters of a list, from its parameters. */

import type { DocumentParameter } from '@nomen/core/openapi'
import { type Field, fieldOf } from '../record/field.ts'
import type { Operation } from '../service/operation.ts'
import { title } from '../words.ts'

/** A value of one parameter, or a range between two of them. */
export interface Filter {
  readonly title: string
  /** The field of its values; a range has the kind of its bounds. */
  readonly field: Field
  /** The parameters: one, or the two ends of a range. */
  readonly names: readonly [string] | readonly [from: string | undefined, to: string | undefined]
  readonly isRange: boolean
  /** Several values match any of them. */
  readonly isRepeatable: boolean
  /** The values that apply without the parameter. */
  readonly defaults: readonly unknown[] | undefined
  readonly description: string | undefined
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
  const named = (name: string) => query.find((parameter) => parameter.name === name)
  const size = named('pageSize')?.shape.schema ?? {}
  return {
    filters: filtersOf(query, fields),
    sortable: new Set(sortNames(named('sort'))),
    hasSearch: named('search') !== undefined,
    hasInclude: named('include') !== undefined,
    pageSize: named('pageSize') && {
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
  const filters: Filter[] = []
  const ranges = new Map<string, Filter>()
  for (const parameter of query) {
    const { name, role, range, shape } = parameter
    if (role !== 'filter') continue
    const isRepeatable = shape.type === 'array'
    const parameterField = fieldOf(name, isRepeatable ? shape.items : shape)
    if (range) {
      const known = ranges.get(range.name)
      const [from, to] = known?.names ?? []
      const names = range.bound === 'from' ? ([name, to] as const) : ([from, name] as const)
      const filter = {
        ...filterOf(title(range.name), parameterField, parameter),
        names,
        isRange: true,
        isRepeatable: false,
      }
      if (known) filters[filters.indexOf(known)] = filter
      else filters.push(filter)
      ranges.set(range.name, filter)
    } else {
      const shown = fields.find((field) => field.name === name)
      const field =
        shown?.reference === undefined
          ? parameterField
          : { ...parameterField, kind: 'reference' as const, reference: shown.reference }
      filters.push({ ...filterOf(field.title, field, parameter), names: [name], isRepeatable })
    }
  }
  // A range over the same field says more than one exact value.
  return filters.filter(({ isRange, names }) => isRange || !ranges.has(`${names[0]}`))
}

function filterOf(name: string, field: Field, { raw }: DocumentParameter): Filter {
  const defaults = raw['x-nomen-default-filter']
  return {
    title: name,
    field,
    names: [field.name],
    isRange: false,
    isRepeatable: false,
    defaults: Array.isArray(defaults) ? defaults : undefined,
    description: typeof raw.description === 'string' ? raw.description : undefined,
  }
}
