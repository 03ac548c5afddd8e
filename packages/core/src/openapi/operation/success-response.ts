/** The responses of an operation that succeeds: 200, 201, 204 and 304. */
import type { JsonSchema } from '../../field/schema.ts'
import type { Operation } from '../../operation/operation.ts'
import { completeShape } from '../../resource/shape.ts'
import type { DocumentComponents } from '../document-components.ts'
import { capitalize, customNames, namesFor } from '../name.ts'
import { exampleFrom, outputSchema } from '../schema/custom.ts'
import { pageSchema } from '../schema/page.ts'
import { recordExample, shapeSchema } from '../schema/record.ts'
import { headerRef } from '../shared.ts'

export function successResponses(
  operation: Operation,
  components: DocumentComponents,
): { readonly [status: string]: JsonSchema } {
  const { schemas } = components
  const { kind, status, list, custom } = operation
  if (custom) return customSuccess(operation, components)
  if (kind === 'erase')
    return { 204: { description: 'The history was erased.', headers: { 'X-Request-Id': headerRef('RequestId') } } }
  const record = recordRef(operation, components)
  const schema = list?.isPaginated
    ? schemas.refer(namesFor(operation, `${capitalize(operation.shape.name)}Page`), pageSchema(record))
    : list
      ? { type: 'array', items: record }
      : record
  const isRead = kind === 'read' || kind === 'lookup'
  const headers = {
    'X-Request-Id': headerRef('RequestId'),
    ...(!list && kind !== 'delete' && kind !== 'unlink' && { ETag: headerRef('ETag') }),
    ...((kind === 'create' || kind === 'restore') && { Location: headerRef('Location') }),
    ...(list?.canBeFollowed && { Link: nextLink }),
    ...deprecationHeaders(operation),
  }
  return {
    [`${status}`]: {
      description: successText(operation),
      headers,
      content: {
        'application/json': { schema, example: exampleFor(operation) },
        ...(list?.canBeFollowed && { 'text/event-stream': eventStream }),
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
function recordRef(operation: Operation, { schemas, fieldSchema: schemaOfField }: DocumentComponents): JsonSchema {
  const { shape, resource } = operation
  const schema = shapeSchema(shape, schemaOfField)
  const isCompleteShape = JSON.stringify(schema) === JSON.stringify(shapeSchema(completeShape(resource), schemaOfField))
  const ending =
    isCompleteShape || shape.name === 'complete' ? '' : shape.name === 'list' ? 'ListItem' : capitalize(shape.name)
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
  { schemas, fieldSchema: schemaOfField }: DocumentComponents,
): { readonly [status: string]: JsonSchema } {
  const { status, custom, resource } = operation
  const headers = { 'X-Request-Id': headerRef('RequestId'), ...deprecationHeaders(operation) }
  const { response, isList } = custom ?? {}
  if (!response) return { [`${status}`]: { description: 'The operation succeeded.', headers } }
  const schema = schemas.refer(customNames(operation, 'Response'), outputSchema(response, resource.noun, schemaOfField))
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
