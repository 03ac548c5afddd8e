/** The query parameters of a list in an OpenAPI document. */
import type { FieldSpec } from '../../field/field.ts'
import { fieldSchema, type JsonSchema } from '../../field/schema.ts'
import { type AnyNoun, specOf } from '../../noun/noun.ts'
import type { ListParameter, RangeParameter, SearchParameter } from '../../operation/list-parameter.ts'
import type { Operation } from '../../operation/operation.ts'
import type { FieldSchema } from '../schema/field.ts'
import { withEmptyText } from '../schema/query.ts'

export function listParameterObject(
  parameter: ListParameter,
  { resource, changesOf }: Operation,
  schemaOfField: FieldSchema,
): JsonSchema {
  const noun: AnyNoun = resource.noun
  const { name } = parameter
  const { scope } = 'spec' in parameter && parameter.kind !== 'include' ? parameter.spec : {}
  const scopeNote = scope === undefined ? '' : ` Only for callers with the scope ${scope}.`
  const common = {
    name,
    in: 'query',
    description: [parameterDescription(parameter), `${usageText(parameter)}${scopeNote}`].filter(Boolean).join(' '),
    ...(scope !== undefined && { 'x-nomen-scope': scope }),
  }
  switch (parameter.kind) {
    case 'pageNumber':
      return { ...common, schema: { type: 'integer', minimum: 1, default: 1 } }
    case 'pageSize':
      return {
        ...common,
        schema: { type: 'integer', minimum: 1, maximum: parameter.maximum, default: parameter.default },
      }
    case 'sort': {
      const names = [...parameter.fields.keys()]
      return {
        ...common,
        ...repeated(parameter, { type: 'string', enum: names.flatMap((name) => [name, `-${name}`]) }),
      }
    }
    case 'include':
      return { ...common, ...repeated(parameter, typeSchema(fieldSchema(parameter.spec))) }
    case 'search':
      return { ...common, ...repeated(parameter, { type: 'string', maxLength: parameter.maxLength }) }
    case 'changed-field':
      return { ...common, ...repeated(parameter, { type: 'string' }) }
    case 'after-id':
      return { ...common, schema: { type: 'integer', format: 'int64', minimum: 0 } }
    case 'wait':
      return { ...common, schema: { type: 'integer', minimum: 0, maximum: parameter.maximum, default: 0 } }
    case 'equal':
      return {
        ...common,
        ...repeated(parameter, filterSchema(noun, parameter.fields[0], schemaOfField), parameter.default),
        ...(parameter.default && { 'x-nomen-default-filter': parameter.default }),
      }
    case 'recorded':
      return {
        ...common,
        ...repeated(parameter, filterSchema(changesOf?.noun ?? noun, parameter.field, schemaOfField)),
      }
    case 'range':
      return {
        ...common,
        schema: typeSchema(fieldSchema(withoutNull(parameter.spec))),
        'x-nomen-range': parameter.range,
      }
    case 'custom': {
      const { spec } = parameter
      // Unlike other filters, a custom filter is validated like a body, because handlers rely on it.
      const { readOnly: _, default: __, description: ___, ...schema } = fieldSchema(withoutNull(spec))
      return { ...common, schema: spec.nullable ? withEmptyText(schema) : schema }
    }
  }
}

/** A parameter that may be repeated, to match any of the values. */
function repeated(
  { maxValues }: ListParameter & { maxValues: number },
  items: JsonSchema,
  defaultValues?: readonly unknown[],
): JsonSchema {
  const schema = { type: 'array', items, maxItems: maxValues, ...(defaultValues && { default: defaultValues }) }
  return { style: 'form', explode: true, schema }
}

/** Formats that are types: a filter rejects other strings. */
const typeFormats = ['date', 'date-time', 'uuid', 'decimal', 'int64']

/** The schema of a filter by a field. */
function filterSchema(noun: AnyNoun, field = '', schemaOfField: FieldSchema): JsonSchema {
  const spec = specOf(noun, field)
  const schema = typeSchema(schemaOfField(noun, withoutNull(spec), field))
  return spec.nullable ? withEmptyText(schema) : schema
}

function withoutNull({ nullable: _, ...spec }: FieldSpec): FieldSpec {
  return spec
}

/** Keywords that do not restrict the type of a value. */
const nonTypeKeywords = [
  ...['readOnly', 'default', 'description', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['x-nomen-minimum', 'x-nomen-maximum'],
]

/** The type and the values of a schema, without limits. */
function typeSchema(schema: JsonSchema): JsonSchema {
  const { format, pattern } = schema
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => !nonTypeKeywords.includes(keyword))),
    ...(typeFormats.includes(`${format}`) && { format }),
    ...(format === 'decimal' && { pattern }),
  }
}

/** The description of the filter, or of the property that it filters by. */
function parameterDescription(parameter: ListParameter): string | undefined {
  switch (parameter.kind) {
    case 'equal':
    case 'recorded':
    case 'range':
      return parameter.description ?? parameter.spec.description
    case 'custom':
      return parameter.spec.description
    default:
      return undefined
  }
}

function usageText(parameter: ListParameter): string {
  switch (parameter.kind) {
    case 'pageNumber':
      return 'The page number, from 1.'
    case 'pageSize':
      return 'The number of records per page.'
    case 'sort':
      return `The properties to sort by, in this order. A hyphen before a name sorts in descending order. Ties are in natural order.${collationNote(parameter.collations)}`
    case 'include':
      return 'IDs of records that are listed even if the filters exclude them, at their sort position.'
    case 'search':
      return `Text to search for, ${sensitivity(parameter)}. Repeat it to match any of several values.`
    case 'changed-field':
      return 'Changes of this field. Repeat it to match any of several fields.'
    case 'after-id':
      return 'Changes after the one with this ID, the oldest first. Not together with pageNumber, sort or include.'
    case 'wait':
      return 'With afterId: if there is no change yet, wait for one for up to this number of seconds.'
    case 'equal':
      return `Records with this value${parameter.spec.nullable ? '; empty for records without one' : ''}. Repeat it to match any of several values.`
    case 'recorded':
      return `Changes of records that have this value before or after the change${parameter.spec.nullable ? '; empty for records without one' : ''}. Repeat it to match any of several values.`
    case 'range':
      return rangeUsage(parameter)
    case 'custom':
      return `Records that match this value by a rule of the service${parameter.spec.nullable ? '; empty for no value' : ''}. It cannot be repeated.`
  }
}

function rangeUsage({ bound, spec }: RangeParameter): string {
  if (spec.kind === 'date' || spec.kind === 'timestamp')
    return bound === 'from' ? 'At this time or later.' : 'Before this time.'
  return bound === 'from' ? 'This value or a greater one.' : 'Less than this value.'
}

/** A hidden field is not among the fields of the parameter. */
function sensitivity({ fields, accentInsensitive }: SearchParameter): string {
  const names = fields.flatMap((field) => accentInsensitive?.get(field) ?? [])
  if (names.length === 0) return 'case-insensitive'
  return `case-insensitive${names.length === fields.length ? ' and accent-insensitive' : `, in ${names.join(', ')} also accent-insensitive`}`
}

/** The sentence about properties that are sorted by a collation; empty if there are none. */
function collationNote(collations: ReadonlyMap<string, string> = new Map()): string {
  if (collations.size === 0) return ''
  const languages = [...new Set(collations.values())].map((collation) => {
    const names = [...collations].filter(([, fieldCollation]) => fieldCollation === collation).map(([name]) => name)
    return `${names.join(', ')} (collation ${collation})`
  })
  return ` Strings are sorted by code point, except ${languages.join(', ')}.`
}
