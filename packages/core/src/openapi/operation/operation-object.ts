/** Operation objects of an OpenAPI document. */
import type { JsonSchema } from '../../field/schema.ts'
import type { Operation } from '../../operation/operation.ts'
import { scopeOf } from '../../operation/scope.ts'
import type { ResourceOptions } from '../../resource/resource.ts'
import type { ProblemCode } from '../../wire/problem.ts'
import type { DocumentComponents } from '../document-components.ts'
import { capitalize, customNames, namesFor } from '../name.ts'
import { exampleFrom, inputSchema } from '../schema/custom.ts'
import { bodyExample, bodySchema } from '../schema/record.ts'
import { errorResponses } from './error-response.ts'
import { parametersOf } from './parameter.ts'
import { successResponses } from './success-response.ts'
import { summaryOf } from './summary.ts'

/** The parts that all operations of a service share. */
export interface SharedParts {
  /** The security requirements, any of which is sufficient; absent if callers need no token. */
  readonly schemes: readonly string[]
  /** Problems that any request may get, in addition to those of every service. */
  readonly sharedProblems: readonly ProblemCode[]
}

export function operationObject(
  operation: Operation,
  components: DocumentComponents,
  { schemes, sharedProblems }: SharedParts,
): JsonSchema {
  const { id, kind, resource, link, deprecation } = operation
  const { ignore } = resource.options as ResourceOptions
  return {
    operationId: id,
    tags: [resource.noun.name],
    summary: summaryOf(operation),
    ...descriptionMember(operation),
    parameters: parametersOf(operation, components),
    ...(!deprecation?.gone && requestBody(operation, components)),
    responses: {
      ...(!deprecation?.gone && successResponses(operation, components)),
      ...errorResponses(operation, components, sharedProblems),
    },
    ...(schemes.length > 0 && { security: schemes.map((name) => ({ [name]: scopeOf(operation).split(' ') })) }),
    ...(deprecation && { deprecated: true, 'x-nomen-deprecation': deprecation }),
    'x-nomen-kind': kind,
    ...(ignore && { 'x-nomen-ignore': ignore }),
    ...(link && { 'x-nomen-link': link.nouns.map(({ name }) => name) }),
  }
}

/** The description in the declaration, then the description of the kind of operation. A list has at least that of its noun. */
function descriptionMember({ kind, description, resource }: Operation): JsonSchema {
  const nounDescription = kind === 'list' ? resource.noun.options.description : undefined
  const text = [description ?? nounDescription, descriptions[kind]]
    .filter((paragraph) => paragraph !== undefined)
    .join('\n\n')
  return text === '' ? {} : { description: text }
}

const descriptions: { readonly [kind: string]: string } = {
  read: 'Returns the record with its ETag, or 304 if If-None-Match has this ETag.',
  lookup: 'Returns the record with its ETag, or 304 if If-None-Match has this ETag.',
  create: 'The body contains the properties that clients can set. Properties with a default are optional.',
  replace: 'The body contains all writable properties.',
  update: 'The body contains the properties to change. The others keep their values.',
  delete: 'Returns the deleted record. Repeating the request returns 404.',
  restore: 'Brings the record back under its ID, with its links and the records that it owned. It takes no body.',
  erase: 'Deletes all history entries of the record and of the records that it owns. It takes no body.',
  link: 'Idempotent: linking records that are already linked changes nothing.',
  unlink: 'Returns the record that is no longer linked. Repeating the request returns 404.',
}

function requestBody(operation: Operation, { schemas, fieldSchema: schemaOfField }: DocumentComponents): JsonSchema {
  const { kind, body, shape, resource } = operation
  if (body && kind === 'custom') {
    const schema = schemas.refer(
      customNames(operation, 'Body'),
      inputSchema(body.properties, resource.noun, schemaOfField),
    )
    const example = exampleFrom(body.properties)
    return { requestBody: { required: true, content: { 'application/json': { schema, example } } } }
  }
  if (!body || !(kind === 'create' || kind === 'replace' || kind === 'update')) return {}
  const schema = schemas.refer(namesFor(operation, capitalize(kind)), bodySchema(shape, body, kind, schemaOfField))
  const example = bodyExample(shape, body, kind)
  const types = kind === 'update' ? ['application/json', 'application/merge-patch+json'] : ['application/json']
  return {
    requestBody: { required: true, content: Object.fromEntries(types.map((type) => [type, { schema, example }])) },
  }
}
