/** Derives the query parameters of a list from its resource. */
import { DeclarationError } from '../declaration/error.ts'
import { type FieldSpec, isStored, type Value } from '../field/field.ts'
import { readValue } from '../field/read-value.ts'
import { change, contentFields } from '../noun/change.ts'
import { specOf } from '../noun/noun.ts'
import type { CustomFilter, Filter } from '../resource/filter.ts'
import type { AnyResource, PageSize, ResourceOptions } from '../resource/resource.ts'
import { completeShape, identityProperty, segmentOf, storedName } from '../resource/shape.ts'
import type { ListParameter, RangeParameter, RecordedParameter, SearchParameter } from './list-parameter.ts'

/** The maximum number of values of a filter or of `include` in one request: enough for the records of a large page. */
const maxValues = 1000

/** The maximum number of search terms in one request, and the maximum length of each, in characters. */
const maxSearchTerms = 10
const maxTermLength = 200

/** The query parameters of a resource's lists. Every stored property of a single record is a filter and sortable. */
export function listParameters(resource: AnyResource, apiPageSize: PageSize = {}): readonly ListParameter[] {
  const options = resource.options as ResourceOptions
  const properties = completeShape(resource).properties.filter(
    ({ field, spec }) => isStored(spec) && !(resource.noun === change && contentFields.includes(field)),
  )
  const parameters: ListParameter[] = []
  if (options.paginated !== false) {
    const { default: size = 10, maximum = 1000 } = { ...apiPageSize, ...options.pageSize }
    parameters.push({ kind: 'pageNumber', name: 'pageNumber' })
    parameters.push({ kind: 'pageSize', name: 'pageSize', default: Math.min(size, maximum), maximum })
  }
  const sortable = new Map(properties.map(({ name, field }) => [name, field]))
  const collations = new Map(properties.flatMap(({ name, spec }) => (spec.sort ? [[name, spec.sort] as const] : [])))
  parameters.push({
    kind: 'sort',
    name: 'sort',
    fields: sortable,
    ...(collations.size > 0 && { collations }),
    maxValues: sortable.size,
  })
  parameters.push({ kind: 'include', name: 'include', spec: identityProperty(resource).spec, maxValues })
  if (options.search) parameters.push(searchParameter(resource, options.search))
  for (const { name, field, spec } of properties) {
    const value = options.defaultFilter?.[name]
    const values = value === undefined ? undefined : [value].flat().map((item) => canonicalValue(spec, item))
    parameters.push({ kind: 'equal', name, spec, fields: [field], maxValues, ...(values && { default: values }) })
  }
  if (resource.noun === change) {
    const { description: _, ...spec } = specOf(change, 'time')
    parameters.push(...rangeBounds('time', { spec, fields: ['time'] }), changedField)
  }
  if (canBeFollowed(resource)) parameters.push(...followParameters)
  parameters.push(...declaredFilters(resource))
  return parameters
}

/**
 * The query parameters of the changes of all records of a resource: those of changes, and the equality filters of the records. A filter by a field
 * with a scope is left out, because not every caller may use it, and so is a filter with the name of another parameter.
 */
export function recordedParameters(
  { resource, changes }: { readonly resource: AnyResource; readonly changes: AnyResource },
  apiPageSize?: PageSize,
): readonly ListParameter[] {
  const changeParameters = listParameters(changes, apiPageSize)
  const usedNames = new Set<string>([...changeParameters, ...completeShape(changes).properties].map(({ name }) => name))
  const filters = listParameters(resource).flatMap((parameter): readonly RecordedParameter[] => {
    if (parameter.kind !== 'equal' || usedNames.has(parameter.name)) return []
    const { name, spec, fields, maxValues, description } = parameter
    const [field, ...others] = fields
    if (field === undefined || others.length > 0 || spec.scope !== undefined) return []
    return [{ kind: 'recorded', name, spec, field, maxValues, ...(description !== undefined && { description }) }]
  })
  return [...changeParameters, ...filters]
}

function searchParameter(resource: AnyResource, names: readonly string[]): SearchParameter {
  const fields = new Map(names.map((name) => [storedName(resource, name), name]))
  const accentInsensitive = [...fields].filter(([field]) => specOf(resource.noun, field).search !== undefined)
  return {
    kind: 'search',
    name: 'search',
    fields: [...fields.keys()],
    maxValues: maxSearchTerms,
    maxLength: maxTermLength,
    ...(accentInsensitive.length > 0 && { accentInsensitive: new Map(accentInsensitive) }),
  }
}

const changedField: ListParameter = { kind: 'changed-field', name: 'changedField', fields: ['fields'], maxValues: 20 }

/** The parameters of a client that follows changes. */
const followParameters: readonly ListParameter[] = [
  { kind: 'after-id', name: 'afterId' },
  { kind: 'wait', name: 'wait', maximum: 60 },
]

/** Whether clients can follow the lists of a resource: by the IDs of history entries. */
function canBeFollowed(resource: AnyResource): boolean {
  const { list, summary, detail } = resource.options as ResourceOptions
  const { name } = identityProperty(resource)
  return (
    resource.noun === change && [list, summary, detail].every((names) => !Array.isArray(names) || names.includes(name))
  )
}

/** The parameters of the filters that the resource declares. */
function declaredFilters(resource: AnyResource): readonly ListParameter[] {
  const filters = Object.entries((resource.options as ResourceOptions).filters ?? {})
  const parameters = filters.flatMap(([name, filter]) => filterParameters(resource, name, filter))
  const names = parameters.map(({ name }) => name)
  const duplicate = names.find((name, index) => names.indexOf(name) !== index)
  if (duplicate === undefined) return parameters
  throw new DeclarationError(
    `resource "${segmentOf(resource)}"`,
    `it has two filters with the name "${duplicate}".`,
    'rename one of them.',
  )
}

function filterParameters(
  resource: AnyResource,
  name: string,
  filter: Filter | CustomFilter,
): readonly ListParameter[] {
  if (filter.kind === 'custom') return [{ kind: 'custom', name, spec: filter.spec, filter }]
  const fields = filter.properties.map((property) => storedName(resource, property))
  // The description of a field does not apply to a filter over several fields.
  const { description: _, ...spec } = specOf(resource.noun, fields[0] as string)
  const parts = { spec, fields, ...(filter.text !== undefined && { description: filter.text }) }
  return filter.kind === 'equal' ? [{ kind: 'equal', name, maxValues, ...parts }] : rangeBounds(name, parts)
}

function rangeBounds(
  range: string,
  parts: Pick<RangeParameter, 'spec' | 'fields' | 'description'>,
): readonly RangeParameter[] {
  return [
    { kind: 'range', name: `${range}From`, range, bound: 'from', ...parts },
    { kind: 'range', name: `${range}To`, range, bound: 'to', ...parts },
  ]
}

/** A default filter is compared with stored values, which are in canonical form. */
function canonicalValue(spec: FieldSpec, value: Value): Value {
  const result = readValue(spec, value)
  return 'value' in result ? result.value : value
}
