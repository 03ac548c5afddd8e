/** The parameters of an operation: path, query and headers. */
import type { FieldSpec } from '../../field/field.ts'
import { fieldSchema, type JsonSchema } from '../../field/schema.ts'
import { wordsOf } from '../../naming/words.ts'
import type { AnyNoun } from '../../noun/noun.ts'
import { etagKinds } from '../../operation/kind.ts'
import type { Level, Operation } from '../../operation/operation.ts'
import { identityProperty } from '../../resource/shape.ts'
import type { DocumentComponents } from '../document-components.ts'
import { queryParameter } from '../schema/custom.ts'
import { exampleOf } from '../schema/example.ts'
import { parameterRef } from '../shared.ts'
import { listParameterObject } from './list-parameter.ts'

export function parametersOf(
  operation: Operation,
  { fieldSchema: schemaOfField }: DocumentComponents,
): readonly JsonSchema[] {
  const { kind, resource, list, requiresIfMatch, custom, at } = operation
  const ifMatch = requiresIfMatch ? requiredIfMatch : parameterRef('IfMatch')
  return [
    ...pathParameters(operation),
    ...(list?.parameters ?? []).map((parameter) => listParameterObject(parameter, operation, schemaOfField)),
    ...(custom?.query ?? []).map((property) => queryParameter(property, resource.noun, schemaOfField)),
    ...(list?.canBeFollowed ? [lastEventId] : []),
    ...(at ? [atParameter(at)] : []),
    ...(etagKinds.includes(kind) ? [ifMatch] : []),
    ...(kind === 'read' || kind === 'lookup' ? [parameterRef('IfNoneMatch')] : []),
    ...(kind === 'create' ? [parameterRef('IdempotencyKey')] : []),
    parameterRef('RequestId'),
    parameterRef('TransactionId'),
  ]
}

const lastEventId: JsonSchema = {
  name: 'Last-Event-ID',
  in: 'header',
  description:
    'For server-sent events: the ID of the last event that the client has received. It takes precedence over afterId.',
  schema: { type: 'string', pattern: '^\\d*$' },
}

function atParameter(spec: FieldSpec): JsonSchema {
  return {
    name: 'at',
    in: 'query',
    description:
      'Returns the record as it was at this time, without an ETag; also a record that has been deleted since.',
    schema: fieldSchema(spec),
  }
}

const requiredIfMatch: JsonSchema = {
  name: 'If-Match',
  in: 'header',
  required: true,
  description:
    'The change is made only if the record still has one of these ETags: 412 otherwise, 428 without the header.',
  schema: { type: 'string' },
}

function pathParameters({ path, levels, lookup }: Operation): readonly JsonSchema[] {
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name as string)
  return names.map((name, index) => {
    const isLookup = lookup !== undefined && index === names.length - 1
    const { resource } = levels[index] as Level
    const noun: AnyNoun = resource.noun
    const { spec, field } = isLookup ? lookup : identityProperty(resource)
    // In a path, an empty string is not null.
    const { nullable: _, ...nonNullSpec } = spec
    const words = isLookup ? wordsOf(field).join(' ') : 'ID'
    const { readOnly: __, default: ___, description, ...schema } = fieldSchema(nonNullSpec)
    return {
      name,
      in: 'path',
      required: true,
      description: description ?? `The ${words} of the ${noun.name.replaceAll('-', ' ')}.`,
      schema,
      example: exampleOf(nonNullSpec, field, noun),
      ...(!isLookup && { 'x-nomen-reference': noun.name }),
    }
  })
}
