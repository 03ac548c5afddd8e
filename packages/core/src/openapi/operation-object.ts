/** Operation objects of an OpenAPI document. */
import type { FieldSpec } from '../field/field.ts'
import { fieldSchema, type JsonSchema } from '../field/schema.ts'
import { camelCase, kebabCase } from '../naming/kebab-case.ts'
import { etagKinds } from '../operation/kind.ts'
import { followProblems, historyProblems, type Operation } from '../operation/operation.ts'
import { scopeOf } from '../operation/scope.ts'
import type { ResourceOptions } from '../resource/resource.ts'
import { identityProperty, segmentOf } from '../resource/shape.ts'
import { type ProblemCode, problems } from '../wire/problem.ts'
import type { Components, Shelf } from './component.ts'
import { exampleFrom, inputSchema, outputSchema, queryParameter } from './custom-schema.ts'
import { listParameterObject } from './list-parameter-object.ts'
import { problemResponses } from './problem-response.ts'
import { bodySchema, recordExample, shapeSchema } from './record-schema.ts'
import { headerRef, parameterRef } from './shared.ts'

/** The parts that all operations of a service share. */
export interface Manner {
  /** The security requirements, any of which is sufficient; absent if callers need no token. */
  readonly schemes: readonly string[]
  /** Problems that any request may get, in addition to those of every service. */
  readonly refusals: readonly ProblemCode[]
}

export function operationObject(
  operation: Operation,
  { schemas, responses }: Shelf,
  { schemes, refusals }: Manner,
): JsonSchema {
  const { id, kind, resource, link, deprecation } = operation
  const { ignore } = resource.options as ResourceOptions
  return {
    operationId: id,
    tags: [resource.noun.name],
    summary: summaryOf(operation),
    ...described(operation),
    parameters: parametersOf(operation),
    ...(!deprecation?.gone && requestBody(operation, schemas)),
    responses: { ...(!deprecation?.gone && success(operation, schemas)), ...failures(operation, responses, refusals) },
    ...(schemes.length > 0 && { security: schemes.map((name) => ({ [name]: scopeOf(operation).split(' ') })) }),
    ...(deprecation && { deprecated: true, 'x-nomen-deprecation': deprecation }),
    'x-nomen-kind': kind,
    ...(ignore && { 'x-nomen-ignore': ignore }),
    ...(link && { 'x-nomen-link': link.nouns.map(({ name }) => name) }),
  }
}

/** The description in the declaration, then the description of the kind of operation. */
function described({ kind, description }: Operation): JsonSchema {
  const text = [description, descriptions[kind]].filter((part) => part !== undefined).join('\n\n')
  return text === '' ? {} : { description: text }
}

const descriptions: { readonly [kind: string]: string } = {
  create: 'The body contains the mutable properties. Properties with a default are optional.',
  replace: 'The body contains all mutable properties.',
  update: 'The body contains the properties to change. The others keep their values.',
  delete: 'Returns the deleted record. Repeating the request returns 404.',
  restore: 'Brings the record back under its ID, with its links and the records that it owned. It takes no body.',
  erase: 'Deletes all history entries of the record and of the records that it owns. It takes no body.',
  link: 'Idempotent: linking records that are already linked changes nothing.',
}

function summaryOf({ kind, resource, shape, lookup, levels, custom, changesOf }: Operation): string {
  const name = `${resource.noun.name}`.replaceAll('-', ' ')
  const parent = levels.at(-2)
  const below = parent ? ` of a ${parent.resource.noun.name}` : changesOf ? ` of every ${changesOf.name}` : ''
  switch (kind) {
    case 'list':
      return `List each ${name}${below}${shape.name === 'list' ? '' : `, as ${shape.name}`}`
    case 'read':
      return `Read one ${name}${below}`
    case 'lookup':
      return `Read one ${name}${below} by ${lookup?.name}`
    case 'create':
      return `Create a ${name}${below}`
    case 'replace':
      return `Replace a ${name}${below}`
    case 'update':
      return `Change a ${name}${below}`
    case 'delete':
      return `Delete a ${name}${below}`
    case 'restore':
      return `Restore a deleted ${name}${below}`
    case 'erase':
      return `Erase the history of a ${name}${below}`
    case 'link':
      return `Link a ${name} with a ${parent?.resource.noun.name}`
    case 'unlink':
      return `Unlink a ${name} from a ${parent?.resource.noun.name}`
    case 'custom': {
      const words = capital(kebabCase(custom?.name ?? '').replaceAll('-', ' '))
      return (
        custom?.declaration.options.summary ?? `${words} of ${custom?.on === 'record' ? 'a' : 'the'} ${name}${below}`
      )
    }
  }
}

function parametersOf(operation: Operation): readonly JsonSchema[] {
  const { kind, list, requiresIfMatch, custom, at } = operation
  const ifMatch = requiresIfMatch ? { ...requiredIfMatch } : parameterRef('IfMatch')
  return [
    ...pathParameters(operation),
    ...(list?.parameters ?? []).map(listParameterObject),
    ...(custom?.query ?? []).map(queryParameter),
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
  schema: { type: 'string', examples: ['"7-3-1f0a"'] },
}

function pathParameters({ path, levels, lookup }: Operation): readonly JsonSchema[] {
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name as string)
  return names.map((name, index) => {
    const level = levels[index]
    const isLookup = lookup !== undefined && index === names.length - 1
    const { spec } = isLookup ? lookup : identityProperty((level as (typeof levels)[number]).resource)
    // In a path, an empty text is not null.
    const { nullable: _, ...never } = spec
    const { readOnly: __, default: ___, description, ...schema } = fieldSchema(never)
    const noun = level?.resource.noun.name
    const of = isLookup ? {} : { 'x-nomen-reference': noun }
    return { name, in: 'path', required: true, ...(description !== undefined && { description }), schema, ...of }
  })
}

function requestBody(operation: Operation, schemas: Components): JsonSchema {
  const { kind, body, shape } = operation
  if (body && kind === 'custom') {
    const schema = schemas.refer(customNames(operation, 'Body'), inputSchema(body.properties))
    return { requestBody: { required: true, content: { 'application/json': { schema } } } }
  }
  if (!body || !(kind === 'create' || kind === 'replace' || kind === 'update')) return {}
  const schema = schemas.refer(namesFor(operation, capital(kind)), bodySchema(shape, body, kind))
  const types = kind === 'update' ? ['application/json', 'application/merge-patch+json'] : ['application/json']
  return {
    requestBody: { required: true, content: Object.fromEntries(types.map((type) => [type, { schema }])) },
  }
}

function success(operation: Operation, schemas: Components): { readonly [status: string]: JsonSchema } {
  const { kind, status, shape, list, custom } = operation
  if (custom) return customSuccess(operation, schemas)
  if (kind === 'erase')
    return { 204: { description: 'The history was erased.', headers: { 'X-Request-Id': headerRef('RequestId') } } }
  const ending = shape.name === 'complete' ? '' : shape.name === 'list' ? 'ListItem' : capital(shape.name)
  const record = schemas.refer(namesFor(operation, ending), shapeSchema(shape))
  const schema = list?.isPaginated
    ? schemas.refer(namesFor(operation, `${ending === 'ListItem' ? 'List' : ending}Page`), pageSchema(record))
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

function customSuccess(operation: Operation, schemas: Components): { readonly [status: string]: JsonSchema } {
  const { status, custom } = operation
  const headers = { 'X-Request-Id': headerRef('RequestId'), ...deprecationHeaders(operation) }
  const { response, isList } = custom ?? {}
  if (!response) return { [`${status}`]: { description: 'The operation succeeded.', headers } }
  const schema = schemas.refer(customNames(operation, 'Response'), outputSchema(response))
  const example = exampleFrom(response)
  const content = isList
    ? { 'application/json': { schema: { type: 'array', items: schema }, example: [example] } }
    : { 'application/json': { schema, example } }
  return { [`${status}`]: { description: 'The result of the operation.', headers, content } }
}

/** Statuses whose responses all operations share, unless they have their own problems. */
const shared = /^(401|403|429|5..)$/

/** The error responses by status. Operations of one kind mostly share them. */
function failures(operation: Operation, responses: Components, refusals: readonly ProblemCode[]) {
  const { kind, problems: operationProblems, levels, requiresIfMatch, custom, deprecation, at, list } = operation
  const all = Object.entries(problemResponses(operationProblems, refusals))
  const isShared = (status: string) =>
    shared.test(status) && !operationProblems.some((code) => `${problems[code][0]}` === status)
  const nested = levels.length > 1 ? 'Nested' : ''
  const conditional = requiresIfMatch ? 'Conditional' : ''
  return Object.fromEntries(
    all.map(([status, response]) => {
      const has = (codes: readonly ProblemCode[]) => codes.some((code) => `${problems[code][0]}` === status)
      const start = at && has(historyProblems) ? 'History' : list?.isFollowed && has(followProblems) ? 'Change' : ''
      const ending = `${start}${capital(kind)}${status}`
      const names = [
        ...(isShared(status) ? [`Fault${status}`] : []),
        // A removed endpoint does not read its request, so it has no other problems.
        ...(deprecation?.gone ? [`Gone${status}`] : []),
        ending,
        `${nested}${ending}`,
        `${nested}${conditional}${ending}`,
        ...(custom ? customNames(operation, status) : []),
      ]
      return [status, responses.refer([...new Set(names)], response)]
    }),
  )
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

function pageSchema(item: JsonSchema): JsonSchema {
  const count = { type: 'integer', minimum: 0 }
  const position = { type: 'integer', minimum: 1 }
  return {
    type: 'object',
    required: ['pageInfo', 'results'],
    properties: {
      pageInfo: {
        type: 'object',
        required: ['pageSize', 'pageNumber', 'numberOfPages', 'numberOfRecords'],
        properties: { pageSize: position, pageNumber: position, numberOfPages: count, numberOfRecords: count },
      },
      results: { type: 'array', items: item },
    },
  }
}

/** Possible names of a schema: the plain name, and a name with the path if another resource shows the noun differently. */
function namesFor({ api, levels, resource, version }: Operation, ending: string): readonly string[] {
  const path = levels.map((level) => capital(camelCase(segmentOf(level.resource)))).join('')
  const noun = capital(camelCase(segmentOf(resource)))
  const pathInApi = `${capital(camelCase(api))}${path}`
  return [...new Set([noun, path, pathInApi, `${pathInApi}V${version ?? 0}`])].map((name) => name + ending)
}

/** Possible names of a custom operation's schema: with its name, and with its method if another operation has that name. */
function customNames(operation: Operation, ending: string): readonly string[] {
  const name = capital(operation.custom?.name ?? '')
  const method = capital(operation.method.toLowerCase())
  return [...namesFor(operation, name + ending), ...namesFor(operation, name + method + ending)]
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
