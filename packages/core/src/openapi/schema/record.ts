/** The schemas of records, for each shape and each request body. */
import type { FieldSpec } from '../../field/field.ts'
import { hasDefault } from '../../field/field.ts'
import type { JsonSchema } from '../../field/schema.ts'
import { specOf, targetOf } from '../../noun/noun.ts'
import { labelFields } from '../../noun/noun-option.ts'
import type { Body } from '../../operation/body.ts'
import type { Property, Shape } from '../../resource/shape.ts'
import { exampleOf } from './example.ts'
import type { FieldSchema } from './field.ts'

/** The schema of a record in a shape. */
export function shapeSchema(shape: Shape, schemaOfField: FieldSchema): JsonSchema {
  const { description } = shape.noun.options
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    required: shape.properties.filter(({ spec }) => spec.scope === undefined).map(({ name }) => name),
    properties: Object.fromEntries(
      shape.properties.map((property) => [property.name, shownSchema(shape, property, schemaOfField)]),
    ),
    examples: [recordExample(shape)],
    'x-nomen-noun': shape.noun.name,
    ...labelExtension(shape),
  }
}

/** The properties of the label, if the shape has all of them. */
function labelExtension({ noun, properties }: Shape): JsonSchema {
  const names = labelFields(noun.options).map((field) => properties.find((property) => property.field === field)?.name)
  return names.length === 0 || names.includes(undefined) ? {} : { 'x-nomen-label': names }
}

/** An example of a record. */
export function recordExample(shape: Shape): { readonly [name: string]: unknown } {
  return Object.fromEntries(
    shape.properties.map(({ name, field, spec, label }) => [
      name,
      label ? labelExample(label, shape, field) : exampleOf(spec, field, shape.noun),
    ]),
  )
}

/** The examples of the label's fields, or null if the example of the reference is null. */
function labelExample(
  { noun, fields }: NonNullable<Property['label']>,
  shape: Shape,
  reference: string,
): string | null {
  if (exampleOf(specOf(shape.noun, reference), reference, shape.noun) === null) return null
  return fields.map((field) => exampleOf(specOf(noun, field), field, noun)).join(' ')
}

function shownSchema(shape: Shape, property: Property, schemaOfField: FieldSchema): JsonSchema {
  const { spec, label, field } = property
  // A default does not apply to a response.
  const { default: _, ...schema } = label ? labelSchema(spec) : schemaOfField(shape.noun, spec, field)
  return { ...schema, ...extensions(shape, property) }
}

/** A label is a string, or null for a null reference. */
function labelSchema({ nullable, description }: FieldSpec): JsonSchema {
  const type = nullable ? ['string', 'null'] : 'string'
  return { type, readOnly: true, ...(description !== undefined && { description }) }
}

/** The schema of a request body. */
export function bodySchema(
  shape: Shape,
  body: Body,
  kind: 'create' | 'replace' | 'update',
  schemaOfField: FieldSchema,
): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  for (const property of body.properties) {
    const { default: value, ...schema } = schemaOfField(shape.noun, property.spec, property.field)
    const hasDefaultValue = kind === 'create' && value !== undefined
    properties[property.name] = {
      ...schema,
      ...(hasDefaultValue && { default: value }),
      ...extensions(shape, property),
    }
  }
  const isRequired = ({ spec }: Property) =>
    (kind === 'replace' && spec.scope === undefined) || (kind === 'create' && !hasDefault(spec))
  const required = body.properties.filter(isRequired).map(({ name }) => name)
  // Clients may send back a record that they have read: read-only properties are ignored, ID and parents must match.
  for (const property of shape.properties) {
    if (property.name in properties) continue
    const { default: _, ...schema } = schemaOfField(shape.noun, property.spec, property.field)
    properties[property.name] = { ...schema, readOnly: true, ...scopeSchema(property.spec) }
  }
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties,
    additionalProperties: false,
    examples: [bodyExample(shape, body, kind)],
    'x-nomen-noun': shape.noun.name,
  }
}

/** An example of a request body. */
export function bodyExample({ noun }: Shape, { properties }: Body, kind: string): { readonly [name: string]: unknown } {
  const included = kind === 'update' ? properties.slice(0, 1) : properties
  return Object.fromEntries(included.map(({ name, field, spec }) => [name, exampleOf(spec, field, noun)]))
}

/** Describes a property with a scope. */
function scopeSchema({ scope }: FieldSpec): JsonSchema {
  if (scope === undefined) return {}
  return { description: `Only for callers with the scope ${scope}.`, 'x-nomen-scope': scope }
}

/** Extensions for constraints that JSON Schema does not have. */
function extensions(shape: Shape, { field, spec, label }: Property): JsonSchema {
  const target = spec.kind === 'reference' ? targetOf(shape.noun, field) : undefined
  return {
    ...(target && { 'x-nomen-reference': target.name }),
    ...(label && { 'x-nomen-label': label.fields }),
    ...(spec.kind === 'identity' && { 'x-nomen-identity': true }),
    ...scopeSchema(spec),
    ...(spec.writeOnce && { 'x-nomen-write-once': true }),
    ...(spec.unique && { 'x-nomen-unique': true }),
    ...(spec.transitions && { 'x-nomen-transitions': spec.transitions }),
    ...(spec.defaultFrom !== undefined && { 'x-nomen-default-from': spec.defaultFrom }),
    ...(spec.databaseDefault && { 'x-nomen-database-default': true }),
  }
}
