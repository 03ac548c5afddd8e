/** The schemas of operations of a service's own: what they take and what they answer. */
import { type FieldSpec, hasDefault } from '../field/field.ts'
import { fieldSchema, type JsonSchema } from '../field/schema.ts'
import type { AnyNoun } from '../noun/noun.ts'
import type { Property } from '../resource/shape.ts'
import { exampleOf } from './example.ts'

/** What a request gives: properties with a default may be left out. */
export function inputSchema(properties: readonly Property[]): JsonSchema {
  const required = properties.filter(({ spec }) => !hasDefault(spec)).map(({ name }) => name)
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties.map(({ name, spec }) => [name, valueSchema(spec)])),
    additionalProperties: false,
    examples: [exampleFrom(properties)],
  }
}

/** What is answered: every property is there. */
export function outputSchema(properties: readonly Property[]): JsonSchema {
  const shown = ({ name, spec }: Property) => {
    const { default: _, readOnly: __, ...schema } = valueSchema(spec)
    return [name, schema]
  }
  return {
    type: 'object',
    required: properties.map(({ name }) => name),
    properties: Object.fromEntries(properties.map(shown)),
    examples: [exampleFrom(properties)],
  }
}

export function queryParameter({ name, spec }: Property): JsonSchema {
  return { name, in: 'query', ...(!hasDefault(spec) && { required: true }), schema: valueSchema(spec) }
}

export function exampleFrom(properties: readonly Property[]): { readonly [name: string]: unknown } {
  return Object.fromEntries(properties.map(({ name, spec }) => [name, exampleOf(spec)]))
}

function valueSchema(spec: FieldSpec): JsonSchema {
  const { target } = spec
  const noun = (typeof target === 'function' ? target() : target) as AnyNoun | undefined
  return {
    ...fieldSchema(spec),
    ...(spec.kind === 'reference' && noun && { 'x-nomen-reference': noun.name }),
    ...(spec.defaultFrom !== undefined && { 'x-nomen-default-from': spec.defaultFrom }),
  }
}
