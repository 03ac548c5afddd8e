/** The query parameters of a list. */
import { DeclarationError } from '../declaration/error.ts'
import { type FieldSpec, isStored, type Value } from '../field/field.ts'
import { readValue } from '../field/read-value.ts'
import { type AnyNoun, specOf } from '../noun/noun.ts'
import type { CustomFilter } from '../resource/filter.ts'
import type { AnyResource, PageSize, ResourceOptions } from '../resource/resource.ts'
import { completeShape, identityProperty, segmentOf, storedName } from '../resource/shape.ts'

/** How many values a filter, or `include`, takes in one request: those of the records of a large page. */
const maxValues = 1000

/** How many texts one request may search for, and how many characters each of them may have. */
const maxTexts = 10
const maxTextLength = 200

/**
 * One query parameter of a list and what it does. `fields` are names of the stored noun, `maxValues` is how often the
 * parameter may be repeated.
 */
export type ListParameter =
  | { readonly kind: 'pageNumber'; readonly name: 'pageNumber' }
  | { readonly kind: 'pageSize'; readonly name: 'pageSize'; readonly default: number; readonly maximum: number }
  | {
      readonly kind: 'sort'
      readonly name: 'sort'
      readonly fields: ReadonlyMap<string, string>
      readonly maxValues: number
    }
  | { readonly kind: 'include'; readonly name: 'include'; readonly spec: FieldSpec; readonly maxValues: number }
  | SearchParameter
  | EqualParameter
  | RangeParameter
  | CustomParameter

/** Finds any of the given texts, in any of the fields. */
export interface SearchParameter {
  readonly kind: 'search'
  readonly name: 'search'
  readonly fields: readonly string[]
  readonly maxValues: number
  /** In characters (code points). */
  readonly maxLength: number
}

/** Matches any of the given values, in any of the fields. */
export interface EqualParameter {
  readonly kind: 'equal'
  readonly name: string
  readonly spec: FieldSpec
  readonly fields: readonly string[]
  readonly maxValues: number
  /** Used unless the client gives the parameter itself. */
  readonly default?: readonly Value[]
}

/** One bound of a range; both bounds of a range bear its name. */
export interface RangeParameter {
  readonly kind: 'range'
  readonly name: string
  readonly range: string
  readonly bound: 'from' | 'to'
  readonly spec: FieldSpec
  readonly fields: readonly string[]
}

/** A filter that the service file gives its meaning. */
export interface CustomParameter {
  readonly kind: 'custom'
  readonly name: string
  readonly spec: FieldSpec
  readonly filter: CustomFilter
}

/** All parameters of a resource's lists. Every stored property of the single record is a filter, and can be sorted by. */
export function listParameters(resource: AnyResource, apiPageSize: PageSize = {}): readonly ListParameter[] {
  const options = resource.options as ResourceOptions
  const properties = completeShape(resource).properties.filter(({ spec }) => isStored(spec))
  const parameters: ListParameter[] = []
  if (options.paginated !== false) {
    const { default: size = 10, maximum = 1000 } = { ...apiPageSize, ...options.pageSize }
    parameters.push({ kind: 'pageNumber', name: 'pageNumber' })
    parameters.push({ kind: 'pageSize', name: 'pageSize', default: Math.min(size, maximum), maximum })
  }
  const sortable = new Map(properties.map(({ name, field }) => [name, field]))
  parameters.push({ kind: 'sort', name: 'sort', fields: sortable, maxValues: sortable.size })
  parameters.push({ kind: 'include', name: 'include', spec: identityProperty(resource).spec, maxValues })
  if (options.search)
    parameters.push({
      kind: 'search',
      name: 'search',
      fields: options.search.map((name) => storedName(resource, name)),
      maxValues: maxTexts,
      maxLength: maxTextLength,
    })
  for (const { name, field, spec } of properties) {
    const value = options.defaultFilter?.[name]
    const values = value === undefined ? undefined : [value].flat().map((one) => normal(spec, one))
    parameters.push({ kind: 'equal', name, spec, fields: [field], maxValues, ...(values && { default: values }) })
  }
  parameters.push(...declaredFilters(resource))
  return parameters
}

function* declaredFilters(resource: AnyResource): Generator<ListParameter> {
  const noun: AnyNoun = resource.noun
  const names = new Set<string>()
  for (const [name, filter] of Object.entries((resource.options as ResourceOptions).filters ?? {})) {
    const { kind } = filter
    const parameters = kind === 'range' ? [`${name}From`, `${name}To`] : [name]
    for (const parameter of parameters) {
      if (names.has(parameter)) {
        throw new DeclarationError(
          `resource "${segmentOf(resource)}"`,
          `has two filters called "${parameter}".`,
          'rename one of them.',
        )
      }
      names.add(parameter)
    }
    if (kind === 'custom') {
      yield { kind, name, spec: filter.spec, filter }
      continue
    }
    const fields = filter.properties.map((property) => storedName(resource, property))
    const spec = specOf(noun, fields[0] as string)
    if (kind === 'equal') yield { kind, name, spec, fields, maxValues }
    else {
      yield { kind, name: `${name}From`, range: name, bound: 'from', spec, fields }
      yield { kind, name: `${name}To`, range: name, bound: 'to', spec, fields }
    }
  }
}

/** A default filter compares with what is stored, which is in its normal form. */
function normal(spec: FieldSpec, given: Value): Value {
  const reading = readValue(spec, given)
  return 'value' in reading ? reading.value : given
}
