/** The operations of one resource at one path. */
import { kebabCase } from '../naming/kebab-case.ts'
import type { AnyLink } from '../noun/link.ts'
import { offersOf } from '../resource/offer.ts'
import { type NamedOperation, namedOperations } from '../resource/operation.ts'
import { directLink, type Relation } from '../resource/relation.ts'
import type { ResourceOptions } from '../resource/resource.ts'
import { completeShape, type Property, shapeOf } from '../resource/shape.ts'
import { customParts, fieldProperties } from './custom.ts'
import { changesOfAll, erasure, restoration, withTimeParameter } from './history-operation.ts'
import { makeOperation, type OperationContext, parameterAt, pathOf, recordPath } from './make-operation.ts'
import type { Operation } from './operation.ts'
import { customProblems } from './problem.ts'

export function* resourceOperations(context: OperationContext): Generator<Operation> {
  const { api, resource, relations, access } = context
  const offers = offersOf(api.options.writes, resource, relations)[access]
  const path = recordPath(context)
  if (offers.has('list')) yield* lists(context)
  if (offers.has('read')) {
    yield withTimeParameter(makeOperation(context, 'read', 'GET', path))
    yield* lookups(context)
  }
  if (offers.has('create')) {
    const location = pathOf(context, offers.has('read') ? 'read' : 'create', path)
    yield { ...makeOperation(context, 'create', 'POST', ''), location }
  }
  if (offers.has('replace')) yield makeOperation(context, 'replace', 'PUT', path)
  if (offers.has('update')) yield makeOperation(context, 'update', 'PATCH', path)
  if (offers.has('delete')) yield makeOperation(context, 'delete', 'DELETE', path)
  if (offers.has('restore')) yield restoration(context)
  if (offers.has('erase')) yield erasure(context)
  if (access === 'public') {
    const { operations } = resource.options as ResourceOptions
    for (const operation of namedOperations(operations)) yield customOperation(context, operation)
  }
  if (offers.has('link')) {
    const link = directLink(relations.at(-1) as Relation) as AnyLink
    yield { ...makeOperation(context, 'link', 'PUT', path), link }
    yield { ...makeOperation(context, 'unlink', 'DELETE', path), link }
  }
}

/** The list and its variants; for history entries, also those of all records. */
function* lists(context: OperationContext): Generator<Operation> {
  for (const variant of ['list', 'summary', 'detail'] as const) {
    const shape = shapeOf(context.resource, variant)
    if (!shape) continue
    const operation = makeOperation(context, 'list', 'GET', variant === 'list' ? '' : `-${variant}`, shape)
    yield operation
    if (operation.list?.canBeFollowed && context.ancestorLevels.length === 1) yield changesOfAll(context, operation)
  }
}

function* lookups(context: OperationContext): Generator<Operation> {
  const { resource, ancestorLevels } = context
  const { properties } = completeShape(resource)
  for (const name of (resource.options as ResourceOptions).by ?? []) {
    const lookup = properties.find((property) => property.name === name) as Property
    const isUsed = ancestorLevels.some(({ parameter }) => parameter === name)
    const parameter = isUsed ? `${name}Value` : name
    const operation = makeOperation(context, 'lookup', 'GET', `/by-${kebabCase(name)}/{${parameter}}`)
    yield { ...operation, id: `${operation.id}.${name}`, lookup }
  }
}

/** The id of a custom operation ends in the method, because one name may have several methods: `ticket.reopening.post`. */
function customOperation(context: OperationContext, { name, segment, declaration }: NamedOperation): Operation {
  const { resource, ancestorLevels } = context
  const { method, on, body, response, deprecated, description } = declaration.options
  const owner = on === 'record' ? `/{${parameterAt(resource, ancestorLevels, false)}}` : ''
  const operation = makeOperation(context, 'custom', method, `${owner}/${segment}`)
  const deprecation = deprecated ?? operation.deprecation
  const hasRecord = on === 'record' || ancestorLevels.length > 0
  return {
    ...operation,
    id: operation.id.replace(/custom$/, `${segment}.${method.toLowerCase()}`),
    status: response ? 200 : 204,
    ...(body && { body: { properties: fieldProperties(body), ignored: [], managed: [], fromPath: [] } }),
    custom: customParts(name, declaration),
    ...(description !== undefined && { description }),
    ...(deprecation && { deprecation }),
    problems: deprecation?.gone ? ['gone'] : customProblems(declaration, hasRecord),
  }
}
