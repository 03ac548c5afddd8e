/** Operation objects of an OpenAPI document. */
import type { FieldSpec } from '../../field/field.ts'
import { fieldSchema, type JsonSchema } from '../../field/schema.ts'
import { wordsOf } from '../../naming/words.ts'
import type { AnyNoun } from '../../noun/noun.ts'
import { etagKinds } from '../../operation/kind.ts'
import type { Operation } from '../../operation/operation.ts'
import { scopeOf } from '../../operation/scope.ts'
import type { ResourceOptions } from '../../resource/resource.ts'
import { completeShape, identityProperty } from '../../resource/shape.ts'
import type { ProblemCode } from '../../wire/problem.ts'
import type { DocumentComponents } from '../document-components.ts'
import { capital, customNames, namesFor } from '../name.ts'
import { exampleFrom, inputSchema, outputSchema, queryParameter } from '../schema/custom.ts'
import { exampleOf } from '../schema/example.ts'
import { pageSchema } from '../schema/page.ts'
import { bodyExample, bodySchema, recordExample, shapeSchema } from '../schema/record.ts'
import { headerRef, parameterRef } from '../shared.ts'
import { failures } from './failure.ts'
import { listParameterObject } from './list-parameter.ts'
import { summaryOf } from './summary.ts'

/** The parts that all operations of a service share. */
export interface Manner {
  /** The security requirements, any of which is sufficient; absent if callers need no token. */
  readonly schemes: readonly string[]
  /** Problems that any request may get, in addition to those of every service. */
  readonly refusals: readonly ProblemCode[]
}

export function operationObject(
  operation: Operation,
  components: DocumentComponents,
  { schemes, refusals }: Manner,
): JsonSchema {
  const { id, kind, resource, link, deprecation } = operation
  const { ignore } = resource.options as ResourceOptions
  return {
    operationId: id,
    tags: [resource.noun.name],
    summary: summaryOf(operation),
    ...described(operation),
    parameters: parametersOf(operation, components),
    ...(!deprecation?.gone && requestBody(operation, components)),
    responses: {
      ...(!deprecation?.gone && success(operation, components)),
      ...failures(operation, components, refusals),
    },
    ...(schemes.length > 0 && { security: schemes.map((name) => ({ [name]: scopeOf(operation).split(' ') })) }),
    ...(deprecation && { deprecated: true, 'x-nomen-deprecation': deprecation }),
    'x-nomen-kind': kind,
    ...(ignore && { 'x-nomen-ignore': ignore }),
    ...(link && { 'x-nomen-link': link.nouns.map(({ name }) => name) }),
  }
}

/** The description in the declaration, then the description of the kind of operation. A list has at least that of its noun. */
function described({ kind, description, resource }: Operation): JsonSchema {
  const ofNoun = kind === 'list' ? resource.noun.options.description : undefined
  const text = [description ?? ofNoun, descriptions[kind]].filter((part) => part !== undefined).join('\n\n')
  return text === '' ? {} : { description: text }
}

const descriptions: { readonly [kind: string]: string } = {
  read: 'Returns the record with its ETag, or 304 if If-None-Match has this ETag.',
  lookup: 'Returns the record with its ETag, or 304 if If-None-Match has this ETag.',
  create: 'The body contains the mutable properties. Properties with a default are optional.',
  replace: 'The body contains all mutable properties.',
  update: 'The body contains the properties to change. The others keep their values.',
  delete: 'Returns the deleted record. Repeating the request returns 404.',
  restore: 'Brings the record back under its ID, with its links and the records that it owned. It takes no body.',
  erase: 'Deletes all history entries of the record and of the records that it owns. It takes no body.',
  link: 'Idempotent: linking records that are already linked changes nothing.',
  unlink: 'Returns the record that is no longer linked. Repeating the request returns 404.',
}

function parametersOf(operation: Operation, { fieldSchema: ofField }: DocumentComponents): readonly JsonSchema[] {
  const { kind, resource, list, requiresIfMatch, custom, at } = operation
  const ifMatch = requiresIfMatch ? { ...requiredIfMatch } : parameterRef('IfMatch')
  return [
    ...pathParameters(operation),
    ...(list?.parameters ?? []).map((parameter) => listParameterObject(parameter, operation, ofField)),
    ...(custom?.query ?? []).map((property) => queryParameter(property, resource.noun, ofField)),
    ...(list?.isFollowed ? [lastEventId] : []),
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
    const level = levels[index]
    const isLookup = lookup !== undefined && index === names.length - 1
    const { resource } = level as (typeof levels)[number]
    const noun: AnyNoun = resource.noun
    const { spec, field } = isLookup ? lookup : identityProperty(resource)
    // In a path, an empty text is not null.
    const { nullable: _, ...never } = spec
    const words = isLookup ? wordsOf(field).join(' ') : 'ID'
    const { readOnly: __, default: ___, description, ...schema } = fieldSchema(never)
    return {
      name,
      in: 'path',
      required: true,
      description: description ?? `The ${words} of the ${noun.name.replaceAll('-', ' ')}.`,
      schema,
      example: exampleOf(never, field, noun),
      ...(!isLookup && { 'x-nomen-reference': noun.name }),
    }
  })
}

function requestBody(operation: Operation, { schemas, fieldSchema: ofField }: DocumentComponents): JsonSchema {
  const { kind, body, shape, resource } = operation
  if (body && kind === 'custom') {
    const schema = schemas.refer(customNames(operation, 'Body'), inputSchema(body.properties, resource.noun, ofField))
    const example = exampleFrom(body.properties)
    return { requestBody: { required: true, content: { 'application/json': { schema, example } } } }
  }
  if (!body || !(kind === 'create' || kind === 'replace' || kind === 'update')) return {}
  const schema = schemas.refer(namesFor(operation, capital(kind)), bodySchema(shape, body, kind, ofField))
  const example = bodyExample(shape, body, kind)
  const types = kind === 'update' ? ['application/json', 'application/merge-patch+json'] : ['application/json']
  return {
    requestBody: { required: true, content: Object.fromEntries(types.map((type) => [type, { schema, example }])) },
  }
}

function success(operation: Operation, components: DocumentComponents): { readonly [status: string]: JsonSchema } {
  const { schemas } = components
  const { kind, status, list, custom } = operation
  if (custom) return customSuccess(operation, components)
  if (kind === 'erase')
    return { 204: { description: 'The history was erased.', headers: { 'X-Request-Id': headerRef('RequestId') } } }
  const record = recordRef(operation, components)
  const schema = list?.isPaginated
    ? schemas.refer(namesFor(operation, `${capital(operation.shape.name)}Page`), pageSchema(record))
    : list
      ? { type: 'array', items: record }
      : record
  const isRead = kind === 'read' || kind === 'lookup'
  const headers = {
    'X-Request-Id': headerRef('RequestId'),
    ...(!list && kind !== 'delete' && kind !== 'unlink' && { ETag: headerRef('ETag') }),
    ...((kind === 'create' || kind === 'restore') && { Location: headerRef('Location') }),
    ...(list?.isFollowed && { Link: nextLink }),
    ...deprecationHeaders(operation),
  }
  return {
    [`${status}`]: {
      description: successText(operation),
      headers,
      content: {
        'application/json': { schema, example: exampleFor(operation) },
        ...(list?.isFollowed && { 'text/event-stream': eventStream }),
      },
    },
    ...(isRead && {
      304: {
        description: 'The record has not changed.',
        headers: { 'X-Request-Id': headerRef('RequestId'), ETag: headerRef('ETag') },
      },
    }),
  }
}

/** A list that shows whole records has the schema of a single record. */
function recordRef(operation: Operation, { schemas, fieldSchema: ofField }: DocumentComponents): JsonSchema {
  const { shape, resource } = operation
  const schema = shapeSchema(shape, ofField)
  const isWhole = JSON.stringify(schema) === JSON.stringify(shapeSchema(completeShape(resource), ofField))
  const ending = isWhole || shape.name === 'complete' ? '' : shape.name === 'list' ? 'ListItem' : capital(shape.name)
  return schemas.refer(namesFor(operation, ending), schema)
}

const nextLink: JsonSchema = {
  description: 'With afterId or wait: the URL reference for the changes that follow, with rel="next".',
  schema: { type: 'string', examples: ['<?afterId=42&wait=30>; rel="next"'] },
}

const eventStream: JsonSchema = {
  schema: {
    type: 'string',
    description:
      'Server-sent events, as long as the client stays connected: one for each change after afterId, or for each new change. The data is the JSON object of the change, the event ID is its ID.',
  },
}

function customSuccess(
  operation: Operation,
  { schemas, fieldSchema: ofField }: DocumentComponents,
): { readonly [status: string]: JsonSchema } {
  const { status, custom, resource } = operation
  const headers = { 'X-Request-Id': headerRef('RequestId'), ...deprecationHeaders(operation) }
  const { response, isList } = custom ?? {}
  if (!response) return { [`${status}`]: { description: 'The operation succeeded.', headers } }
  const schema = schemas.refer(customNames(operation, 'Response'), outputSchema(response, resource.noun, ofField))
  const example = exampleFrom(response)
  const content = isList
    ? { 'application/json': { schema: { type: 'array', items: schema }, example: [example] } }
    : { 'application/json': { schema, example } }
  return { [`${status}`]: { description: 'The result of the operation.', headers, content } }
}

/** The response headers of a deprecated operation. */
function deprecationHeaders({ deprecation }: Operation): { readonly [name: string]: JsonSchema } {
  const text = { type: 'string' }
  return {
    ...(deprecation && {
      Deprecation: { description: 'The date since which the operation is deprecated.', schema: text },
    }),
    ...(deprecation?.sunset !== undefined && {
      Sunset: { description: 'The date when the operation will be removed.', schema: text },
    }),
    ...(deprecation?.successor !== undefined && {
      Link: { description: 'The successor of the operation.', schema: text },
    }),
  }
}

function successText({ kind, list }: Operation): string {
  if (list) return list.isPaginated ? 'A page of the list, with the totals of all pages.' : 'The whole list.'
  if (kind === 'delete' || kind === 'unlink') return 'The record before the change.'
  if (kind === 'restore') return 'The restored record.'
  return kind === 'create' ? 'The record that was created.' : 'The full record.'
}

function exampleFor({ list, shape }: Operation): unknown {
  const record = recordExample(shape)
  if (!list) return record
  const pageInfo = { pageSize: 10, pageNumber: 1, numberOfPages: 1, numberOfRecords: 1 }
  return list.isPaginated ? { pageInfo, results: [record] } : [record]
}
