/** Makes one operation of a resource: the parts that operations of all kinds have. */
import type { AnyApi } from '../api/api.ts'
import type { Offers } from '../resource/offer.ts'
import type { Relation } from '../resource/relation.ts'
import type { AnyResource, Offer, ResourceOptions } from '../resource/resource.ts'
import { parameterOf, type Shape, segmentOf } from '../resource/shape.ts'
import { bodyOf } from './body.ts'
import type { OperationKind } from './kind.ts'
import { deprecationOf, versionOf } from './lifetime.ts'
import { listParameters } from './list.ts'
import type { Level, ListParts, Method, Operation } from './operation.ts'
import { followProblems, problemsOf } from './problem.ts'

/** The parts that all operations of one resource at one path share. */
export interface Context {
  readonly api: AnyApi
  readonly resource: AnyResource
  readonly ancestorLevels: readonly Level[]
  readonly relations: readonly Relation[]
  readonly access: keyof Offers
}

export function makeOperation(
  { api, resource, ancestorLevels, relations, access }: Context,
  kind: OperationKind,
  offer: Offer | undefined,
  method: Method,
  pathSuffix: string,
  shape: Shape,
): Operation {
  const resources = [...ancestorLevels.map((level) => level.resource), resource]
  const version = versionOf(api, resources, offer)
  // Handlers may still call an operation whose resource is deprecated or gone for callers.
  const deprecation = access === 'public' ? deprecationOf(api, resources, offer) : undefined
  const description = descriptionOf(resource, kind)
  const prefix = version === undefined ? '' : `/v${version}`
  const parents = ancestorLevels.map((level) => `/${segmentOf(level.resource)}/{${level.parameter}}`).join('')
  const names = resources.map(segmentOf)
  const idSuffix = kind === 'list' && shape.name !== 'list' ? shape.name : kind
  const hasBody = kind === 'create' || kind === 'replace' || kind === 'update'
  const isChange = kind === 'replace' || kind === 'update' || kind === 'delete'
  const requiresIfMatch = isChange && (resource.options as ResourceOptions).ifMatch === 'required'
  const list = kind === 'list' ? listParts(api, resource) : undefined
  const problems = [
    ...problemsOf(kind, ancestorLevels.length > 0, requiresIfMatch),
    ...(list?.isFollowed ? followProblems : []),
  ]
  return {
    id: `${version === api.options.version ? '' : `v${version}.`}${names.join('.')}.${idSuffix}`,
    api: api.name,
    version,
    kind,
    method,
    path: `${prefix}${parents}/${segmentOf(resource)}${pathSuffix}`,
    levels: [...ancestorLevels, { resource, parameter: parameterAt(resource, ancestorLevels, true), relations }],
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

function listParts(api: AnyApi, resource: AnyResource): ListParts {
  const parameters = listParameters(resource, api.options.pageSize)
  const isPaginated = (resource.options as ResourceOptions).paginated !== false
  const isFollowed = parameters.some(({ kind }) => kind === 'after-id')
  return { parameters, isPaginated, ...(isFollowed && { isFollowed }) }
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
