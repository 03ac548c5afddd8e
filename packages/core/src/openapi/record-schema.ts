/** The schemas of records, for each shape and each request body. */
import type { FieldSpec } from '../field/field.ts'
import { hasDefault } from '../field/field.ts'
import { fieldSchema, type JsonSchema } from '../field/schema.ts'
import { labelFields, specOf, targetOf } from '../noun/noun.ts'
import type { Body } from '../operation/body.ts'
import type { Property, Shape } from '../resource/shape.ts'
import { exampleOf } from './example.ts'

/** The schema of a record in a shape. */
export function shapeSchema(shape: Shape): JsonSchema {
  const { description } = shape.noun.options
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    required: shape.properties.filter(({ spec }) => spec.scope === undefined).map(({ name }) => name),
    properties: Object.fromEntries(shape.properties.map((property) => [property.name, shownSchema(shape, property)])),
    examples: [recordExample(shape)],
    'x-nomen-noun': shape.noun.name,
    ...ownLabel(shape),
  }
}

/** The properties of the label, if the shape has all of them. */
function ownLabel({ noun, properties }: Shape): JsonSchema {
  const names = labelFields(noun.options).map((field) => properties.find((property) => property.field === field)?.name)
  return names.length === 0 || names.includes(undefined) ? {} : { 'x-nomen-label': names }
}

/** An example of a record. */
export function recordExample(shape: Shape): { readonly [name: string]: unknown } {
  return Object.fromEntries(
    shape.properties.map(({ name, spec, label }) => [name, label ? labelExample(label) : exampleOf(spec)]),
  )
}

/** The examples of the label's fields, if all of them have one. */
function labelExample({ noun, fields }: NonNullable<Property['label']>): string {
  const examples = fields.map((field) => specOf(noun, field).example)
  return examples.includes(undefined) ? `${noun.name} 1` : examples.join(' ')
}

function shownSchema(shape: Shape, property: Property): JsonSchema {
  const { spec, label } = property
  // A default does not apply to a response.
  const { default: _, ...schema } = label ? labelSchema(spec) : fieldSchema(spec)
  return { ...schema, ...extensions(shape, property) }
}

/** A label is a text, or null for a null reference. */
function labelSchema({ nullable, description }: FieldSpec): JsonSchema {
  const type = nullable ? ['string', 'null'] : 'string'
  return { type, readOnly: true, ...(description !== undefined && { description }) }
}

/** The schema of a request body. */
export function bodySchema(shape: Shape, body: Body, kind: 'create' | 'replace' | 'update'): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  for (const property of body.properties) {
    const { default: value, ...schema } = fieldSchema(property.spec)
    const isFilledIn = kind === 'create' && value !== undefined
    properties[property.name] = { ...schema, ...(isFilledIn && { default: value }), ...extensions(shape, property) }
  }
  const isNeeded = ({ spec }: Property) =>
    (kind === 'replace' && spec.scope === undefined) || (kind === 'create' && !hasDefault(spec))
  const required = body.properties.filter(isNeeded).map(({ name }) => name)
  // Clients may send back a record that they have read: read-only properties are ignored, ID and parents must match.
  for (const property of shape.properties) {
    if (property.name in properties) continue
    const { default: _, ...schema } = fieldSchema(property.spec)
    properties[property.name] = { ...schema, readOnly: true, ...scopeSchema(property.spec) }
  }
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties,
    additionalProperties: false,
    examples: [bodyExample(body, kind)],
    'x-nomen-noun': shape.noun.name,
  }
}

function bodyExample({ properties }: Body, kind: string): { readonly [name: string]: unknown } {
  const included = kind === 'update' ? properties.slice(0, 1) : properties
  return Object.fromEntries(included.map(({ name, spec }) => [name, exampleOf(spec)]))
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
