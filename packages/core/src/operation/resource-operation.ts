/** The operations of one resource at one path. */
import { kebabCase } from '../naming/kebab-case.ts'
import type { AnyLink } from '../noun/link.ts'
import { offersOf } from '../resource/offer.ts'
import { type NamedOperation, namedOperations } from '../resource/operation.ts'
import { directLink, type Relation } from '../resource/relation.ts'
import type { ResourceOptions } from '../resource/resource.ts'
import { completeShape, type Property, shapeOf } from '../resource/shape.ts'
import { customParts, fieldProperties } from './custom.ts'
import { belowRecord, changesOfAll, restoration, withTimeParameter } from './history-operation.ts'
import { type Context, makeOperation, parameterAt } from './make-operation.ts'
import type { Level, Operation } from './operation.ts'
import { customProblems } from './problem.ts'

export function* resourceOperations(context: Context): Generator<Operation> {
  const { api, resource, ancestorLevels, relations, access } = context
  const options = resource.options as ResourceOptions
  const offers = offersOf(api.options.writes, resource, relations)[access]
  const recordPath = `/{${parameterAt(resource, ancestorLevels, true)}}`
  if (offers.has('list')) {
    for (const variant of ['list', 'summary', 'detail'] as const) {
      const shape = variant === 'list' || options[variant] ? shapeOf(resource, variant) : undefined
      if (!shape) continue
      const list = makeOperation(context, 'list', 'list', 'GET', variant === 'list' ? '' : `-${variant}`, shape)
      yield list
      if (list.list?.isFollowed && ancestorLevels.length === 1) yield changesOfAll(context, list)
    }
  }
  const complete = completeShape(resource)
  if (offers.has('read')) {
    yield withTimeParameter(makeOperation(context, 'read', 'read', 'GET', recordPath, complete))
    for (const name of options.by ?? []) {
      const lookup = complete.properties.find((property) => property.name === name) as Property
      const isUsed = ancestorLevels.some(({ parameter }) => parameter === name)
      const parameter = isUsed ? `${name}Value` : name
      const operation = makeOperation(
        context,
        'lookup',
        'read',
        'GET',
        `/by-${kebabCase(name)}/{${parameter}}`,
        complete,
      )
      yield { ...operation, id: `${operation.id}.${name}`, lookup }
    }
  }
  if (offers.has('create')) {
    const location = makeOperation(
      context,
      'read',
      offers.has('read') ? 'read' : 'create',
      'GET',
      recordPath,
      complete,
    ).path
    yield { ...makeOperation(context, 'create', 'create', 'POST', '', complete), location }
  }
  if (offers.has('replace')) yield makeOperation(context, 'replace', 'replace', 'PUT', recordPath, complete)
  if (offers.has('update')) yield makeOperation(context, 'update', 'update', 'PATCH', recordPath, complete)
  if (offers.has('delete')) yield makeOperation(context, 'delete', 'delete', 'DELETE', recordPath, complete)
  if (offers.has('restore')) yield restoration(context)
  if (offers.has('erase')) yield { ...belowRecord(context, 'erase', 'erasure'), status: 204 }
  if (access === 'public')
    for (const operation of namedOperations(options.operations)) yield customOperation(context, operation)
  if (offers.has('link')) {
    const link = directLink(relations.at(-1) as Relation) as AnyLink
    yield { ...makeOperation(context, 'link', 'link', 'PUT', recordPath, complete), link }
    yield { ...makeOperation(context, 'unlink', 'link', 'DELETE', recordPath, complete), link }
  }
}

/** The id of a custom operation ends in the method, because one name may have several methods: `ticket.reopening.post`. */
function customOperation(context: Context, { name, segment, declaration }: NamedOperation): Operation {
  const { resource, ancestorLevels } = context
  const { method, on, body, response, deprecated, description } = declaration.options
  const recordPath = on === 'record' ? `/{${parameterAt(resource, ancestorLevels, false)}}` : ''
  const operation = makeOperation(
    context,
    'custom',
    undefined,
    method,
    `${recordPath}/${segment}`,
    completeShape(resource),
  )
  const deprecation = deprecated ?? operation.deprecation
  const hasRecord = on === 'record' || ancestorLevels.length > 0
  return {
    ...operation,
    id: operation.id.replace(/custom$/, `${segment}.${method.toLowerCase()}`),
    levels: [
      ...ancestorLevels,
      { ...(operation.levels.at(-1) as Level), parameter: parameterAt(resource, ancestorLevels, false) },
    ],
    status: response ? 200 : 204,
    ...(body && { body: { properties: fieldProperties(body), ignored: [], managed: [], fromPath: [] } }),
    custom: customParts(name, declaration),
    ...(description !== undefined && { description }),
    ...(deprecation && { deprecation }),
    problems: deprecation?.gone ? ['gone'] : customProblems(declaration, hasRecord),
  }
}
