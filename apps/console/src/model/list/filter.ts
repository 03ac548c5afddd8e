/** What a list can be filtered by, from its parameters. */
import { type Field, fieldOf } from '../record/field.ts'
import { type Json, schemaOf } from '../service/openapi.ts'
import type { Operation } from '../service/operation.ts'
import { title } from '../words.ts'

/** A value of one parameter, or a range between two of them. */
export interface Filter {
  readonly title: string
  /** What its values are; a range is of the kind of its ends. */
  readonly field: Field
  /** The parameters: one, or the two ends of a range. */
  readonly names: readonly [string] | readonly [from: string | undefined, to: string | undefined]
  readonly isRange: boolean
  /** Several values stand for any of them. */
  readonly isRepeatable: boolean
  /** What counts unless the parameter is given. */
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

const reserved = ['pageNumber', 'pageSize', 'sort', 'include', 'search']

/** Reads the parameters of a list; `fields` are those of the whole record, which say more of a value than a parameter does. */
export function listParametersOf(document: Json, { parameters }: Operation, fields: readonly Field[]): ListParameters {
  const query = parameters.filter((one) => one.in === 'query' && typeof one.name === 'string')
  const named = (name: string) => query.find((one) => one.name === name)
  const size = schemaOf(document, named('pageSize')?.schema).raw
  const sort = named('sort')
  return {
    filters: filtersOf(document, query, fields),
    sortable: new Set(sort ? sortNames(document, sort) : []),
    hasSearch: named('search') !== undefined,
    hasInclude: named('include') !== undefined,
    pageSize: named('pageSize') && {
      default: typeof size.default === 'number' ? size.default : 10,
      maximum: typeof size.maximum === 'number' ? size.maximum : 100,
    },
  }
}

function sortNames(document: Json, { schema }: Json): readonly string[] {
  const given = schemaOf(document, schema)
  const { choices = [] } = given.type === 'array' ? schemaOf(document, given.items) : given
  return choices.map((one) => `${one}`.replace(/^-/, ''))
}

function filtersOf(document: Json, query: readonly Json[], fields: readonly Field[]): readonly Filter[] {
  const filters: Filter[] = []
  const ranges = new Map<string, Filter>()
  for (const parameter of query) {
    const name = parameter.name as string
    if (reserved.includes(name)) continue
    const given = schemaOf(document, parameter.schema)
    const isRepeatable = given.type === 'array'
    const own = fieldOf(name, isRepeatable ? schemaOf(document, given.items) : given, false)
    const end = rangeEnd(parameter, own, query)
    if (end) {
      const known = ranges.get(end.range)
      const [from, to] = known?.names ?? []
      const names = end.isFrom ? ([name, to] as const) : ([from, name] as const)
      const made = { ...filterOf(title(end.range), own, parameter), names, isRange: true, isRepeatable: false }
      if (known) filters[filters.indexOf(known)] = made
      else filters.push(made)
      ranges.set(end.range, made)
    } else {
      const shown = fields.find((field) => field.name === name)
      const field =
        shown?.reference === undefined ? own : { ...own, kind: 'reference' as const, reference: shown.reference }
      filters.push({ ...filterOf(field.title, field, parameter), names: [name], isRepeatable })
    }
  }
  return filters
}

function filterOf(name: string, field: Field, parameter: Json): Filter {
  const defaults = parameter['x-nomen-default-filter']
  return {
    title: name,
    field,
    names: [field.name],
    isRange: false,
    isRepeatable: false,
    defaults: Array.isArray(defaults) ? defaults : undefined,
    description: typeof parameter.description === 'string' ? parameter.description : undefined,
  }
}

/** Which end of which range a parameter is: as it says itself, or as `From` and `To` beside each other do. */
function rangeEnd(
  parameter: Json,
  { kind }: Field,
  query: readonly Json[],
): { range: string; isFrom: boolean } | undefined {
  const [, stem, end] = /^(.+?)(From|To)$/.exec(`${parameter.name}`) ?? []
  const told = parameter['x-nomen-range']
  if (typeof told === 'string') return { range: told, isFrom: end !== 'To' }
  if (stem === undefined || (kind !== 'date' && kind !== 'moment')) return undefined
  const other = `${stem}${end === 'From' ? 'To' : 'From'}`
  return query.some(({ name }) => name === other) ? { range: stem, isFrom: end === 'From' } : undefined
}
