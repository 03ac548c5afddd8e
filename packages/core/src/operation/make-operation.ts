/** Makes one operation of a resource: the parts that operations of all kinds have. */
import type { AnyApi } from '../api/api.ts'
import type { Offers } from '../resource/offer.ts'
import type { Relation } from '../resource/relation.ts'
import type { AnyResource, Offer, ResourceOptions } from '../resource/resource.ts'
import { completeShape, parameterOf, segmentOf } from '../resource/shape.ts'
import { bodyOf } from './body.ts'
import { type OperationKind, offerOf } from './kind.ts'
import { deprecationOf, versionOf } from './lifetime.ts'
import { listParameters } from './list.ts'
import type { Level, ListParts, Method, Operation } from './operation.ts'
import { followProblems, problemsOf } from './problem.ts'

/** The resource of operations, its ancestors in the path, and who may call them. */
export interface OperationContext {
  readonly api: AnyApi
  readonly resource: AnyResource
  readonly ancestorLevels: readonly Level[]
  readonly relations: readonly Relation[]
  readonly access: keyof Offers
}

/** Kinds whose path may continue after the ID of the record. */
const kindsBelowRecord: readonly OperationKind[] = ['restore', 'erase', 'custom']

export function makeOperation(
  context: OperationContext,
  kind: OperationKind,
  method: Method,
  pathSuffix: string,
  shape = completeShape(context.resource),
): Operation {
  const { api, resource, ancestorLevels, relations, access } = context
  const resources = resourcesOf(context)
  const offer = offerOf(kind)
  const version = versionOf(api, resources, offer)
  // Handlers may still call an operation whose resource is deprecated or gone for callers.
  const deprecation = access === 'public' ? deprecationOf(api, resources, offer) : undefined
  const description = descriptionOf(resource, kind)
  const names = resources.map(segmentOf)
  const idSuffix = kind === 'list' && shape.name !== 'list' ? shape.name : kind
  const parameter = parameterAt(resource, ancestorLevels, !kindsBelowRecord.includes(kind))
  const hasBody = kind === 'create' || kind === 'replace' || kind === 'update'
  const isChange = kind === 'replace' || kind === 'update' || kind === 'delete'
  const requiresIfMatch = isChange && (resource.options as ResourceOptions).ifMatch === 'required'
  const list = kind === 'list' ? listParts(api, resource) : undefined
  const problems = [
    ...problemsOf(kind, ancestorLevels.length > 0, requiresIfMatch),
    ...(list?.canBeFollowed ? followProblems : []),
  ]
  return {
    id: `${version === api.options.version ? '' : `v${version}.`}${names.join('.')}.${idSuffix}`,
    api: api.name,
    version,
    kind,
    method,
    path: pathOf(context, offer, pathSuffix),
    levels: [...ancestorLevels, { resource, parameter, relations }],
    resource,
    shape,
    status: kind === 'create' || kind === 'restore' ? 201 : 200,
    ...(list && { list }),
    ...(hasBody && { body: bodyOf(resource, relations, kind === 'create') }),
    requiresIfMatch,
    ...(description !== undefined && { description }),
    ...(deprecation && { deprecation }),
    problems: deprecation?.gone ? ['gone'] : problems,
  }
}

/** The path of an operation, with the version of what the resource offers. */
export function pathOf(context: OperationContext, offer: Offer | undefined, suffix: string): string {
  const version = versionOf(context.api, resourcesOf(context), offer)
  const prefix = version === undefined ? '' : `/v${version}`
  const parents = context.ancestorLevels.map((level) => `/${segmentOf(level.resource)}/{${level.parameter}}`).join('')
  return `${prefix}${parents}/${segmentOf(context.resource)}${suffix}`
}

/** The end of the path of a single record: `/{id}`. */
export function recordPath({ resource, ancestorLevels }: OperationContext): string {
  return `/{${parameterAt(resource, ancestorLevels, true)}}`
}

function resourcesOf({ resource, ancestorLevels }: OperationContext): readonly AnyResource[] {
  return [...ancestorLevels.map((level) => level.resource), resource]
}

function listParts(api: AnyApi, resource: AnyResource): ListParts {
  const parameters = listParameters(resource, api.options.pageSize)
  const isPaginated = (resource.options as ResourceOptions).paginated !== false
  const canBeFollowed = parameters.some(({ kind }) => kind === 'after-id')
  return { parameters, isPaginated, ...(canBeFollowed && { canBeFollowed }) }
}

/** The description of an operation. If the option is a string, it describes the lists. A lookup has the description of a read. */
function descriptionOf(resource: AnyResource, kind: OperationKind): string | undefined {
  const { description } = resource.options as ResourceOptions
  if (typeof description !== 'object') return kind === 'list' ? description : undefined
  return kind === 'custom' ? undefined : description[kind === 'lookup' ? 'read' : kind]
}

/** The name of the ID in the path template. It differs from the names of the levels above. */
export function parameterAt(resource: AnyResource, ancestorLevels: readonly Level[], isLast: boolean): string {
  const usedNames = ancestorLevels.map(({ parameter }) => parameter)
  return parameterOf(resource, isLast, usedNames)
}
