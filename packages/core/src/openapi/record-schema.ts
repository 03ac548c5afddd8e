/** The schemas of records: as they are shown in each shape, and as each write takes them. */
import type { FieldSpec } from '../field/field.ts'
import { hasDefault } from '../field/field.ts'
import { fieldSchema, type JsonSchema } from '../field/schema.ts'
import { targetOf } from '../noun/noun.ts'
import type { Body } from '../operation/body.ts'
import type { Property, Shape } from '../resource/shape.ts'
import { exampleOf } from './example.ts'

/** One record of a shape. */
export function shapeSchema(shape: Shape): JsonSchema {
  return {
    type: 'object',
    required: shape.properties.map(({ name }) => name),
    properties: Object.fromEntries(shape.properties.map((property) => [property.name, shownSchema(shape, property)])),
    examples: [recordExample(shape)],
    'x-nomen-noun': shape.noun.name,
  }
}

/** What a record of a shape could look like. */
export function recordExample(shape: Shape): { readonly [name: string]: unknown } {
  return Object.fromEntries(
    shape.properties.map(({ name, spec, label }) => [name, label ? `${label.noun.name} 1` : exampleOf(spec)]),
  )
}

function shownSchema(shape: Shape, property: Property): JsonSchema {
  const { spec, label } = property
  // What is shown has its value already, whatever it would begin with.
  const { default: _, ...shown } = label ? labelSchema(spec) : fieldSchema(spec)
  return { ...shown, ...extensions(shape, property) }
}

/** A label is text, where the record that is pointed at is there. */
function labelSchema({ nullable }: FieldSpec): JsonSchema {
  return { type: nullable ? ['string', 'null'] : 'string', readOnly: true }
}

/** The body of a write. */
export function bodySchema(shape: Shape, body: Body, kind: 'create' | 'replace' | 'update'): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  for (const property of body.properties) {
    const { default: given, ...schema } = fieldSchema(property.spec)
    const isFilledIn = kind === 'create' && given !== undefined
    properties[property.name] = { ...schema, ...(isFilledIn && { default: given }), ...extensions(shape, property) }
  }
  const isNeeded = ({ spec }: Property) => kind === 'replace' || (kind === 'create' && !hasDefault(spec))
  const required = body.properties.filter(isNeeded).map(({ name }) => name)
  // A record that was read may be sent back: what only the server sets is ignored, the identity and parents must agree.
  for (const property of shape.properties) {
    if (property.name in properties) continue
    const { default: _, ...schema } = fieldSchema(property.spec)
    properties[property.name] = { ...schema, readOnly: true }
  }
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties,
    additionalProperties: false,
    ...(kind === 'update' && { minProperties: 0 }),
    examples: [bodyExample(body, kind)],
    'x-nomen-noun': shape.noun.name,
  }
}

function bodyExample({ properties }: Body, kind: string): { readonly [name: string]: unknown } {
  const given = kind === 'update' ? properties.slice(0, 1) : properties
  return Object.fromEntries(given.map(({ name, spec }) => [name, exampleOf(spec)]))
}

/** What JSON Schema has no words for. */
function extensions(shape: Shape, { field, spec, label }: Property): JsonSchema {
  const target = spec.kind === 'reference' ? targetOf(shape.noun, field) : undefined
  return {
    ...(target && { 'x-nomen-reference': target.name }),
    ...(label && { 'x-nomen-label': label.fields }),
    ...(spec.kind === 'identity' && { 'x-nomen-identity': true }),
    ...(spec.unique && { 'x-nomen-unique': true }),
    ...(spec.transitions && { 'x-nomen-transitions': spec.transitions }),
    ...(spec.defaultFrom !== undefined && { 'x-nomen-default-from': spec.defaultFrom }),
  }
}
