/** The schemas of custom operations: request bodies and responses. */
import { type FieldSpec, hasDefault } from '../../field/field.ts'
import type { JsonSchema } from '../../field/schema.ts'
import type { AnyNoun } from '../../noun/noun.ts'
import type { Property } from '../../resource/shape.ts'
import { exampleOf } from './example.ts'
import type { FieldSchema } from './field.ts'
import { withEmptyText } from './query.ts'

/** The schema of a request. Properties with a default are optional. */
export function inputSchema(properties: readonly Property[], noun: AnyNoun, schemaOfField: FieldSchema): JsonSchema {
  const required = properties.filter(({ spec }) => !hasDefault(spec)).map(({ name }) => name)
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties.map(({ name, spec }) => [name, valueSchema(spec, noun, schemaOfField)])),
    additionalProperties: false,
    examples: [exampleFrom(properties)],
  }
}

/** The schema of a response. Every property is required. */
export function outputSchema(properties: readonly Property[], noun: AnyNoun, schemaOfField: FieldSchema): JsonSchema {
  const entryOf = ({ name, spec }: Property) => {
    const { default: _, readOnly: __, ...schema } = valueSchema(spec, noun, schemaOfField)
    return [name, schema]
  }
  return {
    type: 'object',
    required: properties.map(({ name }) => name),
    properties: Object.fromEntries(properties.map(entryOf)),
    examples: [exampleFrom(properties)],
  }
}

export function queryParameter({ name, spec }: Property, noun: AnyNoun, schemaOfField: FieldSchema): JsonSchema {
  const { nullable, ...nonNullSpec } = spec
  const { description, ...value } = valueSchema(nullable ? nonNullSpec : spec, noun, schemaOfField)
  const schema = nullable ? withEmptyText(value) : value
  const isRequired = !hasDefault(spec)
  return {
    name,
    in: 'query',
    ...(description !== undefined && { description }),
    ...(isRequired && { required: true }),
    schema,
  }
}

export function exampleFrom(properties: readonly Property[]): { readonly [name: string]: unknown } {
  return Object.fromEntries(properties.map(({ name, spec }) => [name, exampleOf(spec, name)]))
}

function valueSchema(spec: FieldSpec, owner: AnyNoun, schemaOfField: FieldSchema): JsonSchema {
  const { target } = spec
  const noun = (typeof target === 'function' ? target() : target) as AnyNoun | undefined
  return {
    ...schemaOfField(owner, spec),
    ...(spec.kind === 'reference' && noun && { 'x-nomen-reference': noun.name }),
    ...(spec.defaultFrom !== undefined && { 'x-nomen-default-from': spec.defaultFrom }),
  }
}
