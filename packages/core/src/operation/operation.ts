/** The one table: every operation of an api, with its path, parameters, shapes and problems. */
import type { AnyApi } from '../api/api.ts'
import type { Deprecation } from '../declaration/deprecation.ts'
import { DeclarationError } from '../declaration/error.ts'
import { kebabCase } from '../naming/kebab-case.ts'
import type { AnyLink } from '../noun/link.ts'
import { offersOf } from '../resource/offer.ts'
import { type NamedOperation, namedOperations } from '../resource/operation.ts'
import { directLink, type Relation, relationsOf } from '../resource/relation.ts'
import type { AnyResource, Offer, ResourceOptions } from '../resource/resource.ts'
import {
  childrenOf,
  completeShape,
  type Property,
  parameterOf,
  type Shape,
  segmentOf,
  shapeOf,
} from '../resource/shape.ts'
import type { ProblemCode } from '../wire/problem.ts'
import { type Body, bodyOf } from './body.ts'
import { type CustomParts, customParts, fieldProperties } from './custom.ts'
import type { OperationKind } from './kind.ts'
import { deprecationOf, versionOf } from './lifetime.ts'
import { type ListParameter, listParameters } from './list-parameter.ts'
import { customProblems, problemsOf } from './problem.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One noun of a path: `/user/{userId}` is one level, `/user/{userId}/preference/{id}` two. */
export interface Level {
  readonly resource: AnyResource
  /** The identity's name in the path template. */
  readonly parameter: string
  /** What relates the record to the levels before it. */
  readonly relations: readonly Relation[]
}

export interface Operation {
  /** Unique in the api: `user.list`, `user.preference.update`; `v2.user.list` where its version is not the api's. */
  readonly id: string
  readonly api: string
  readonly version: number | undefined
  readonly kind: OperationKind
  readonly method: Method
  /** The template: `/v1/user/{id}`. */
  readonly path: string
  /** Every noun of the path in order; the last is the one that is acted on. */
  readonly levels: readonly Level[]
  readonly resource: AnyResource
  /** Of one record, or of each in a list. */
  readonly shape: Shape
  readonly status: 200 | 201 | 204
  /** Present for a list. */
  readonly list?: { readonly parameters: readonly ListParameter[]; readonly isPaginated: boolean }
  /** Present for a write that takes a body. */
  readonly body?: Body
  /** Present for a create: the template of the path at which the new record is read. */
  readonly location?: string
  /** Present for a lookup: the unique property that stands in the path. */
  readonly lookup?: Property
  /** Present for link and unlink. */
  readonly link?: AnyLink
  /** Present for an operation of the service's own. */
  readonly custom?: CustomParts
  /** Whether If-Match must be given. */
  readonly isConditional: boolean
  /** Present where it should not be called any more. */
  readonly deprecation?: Deprecation
  /** Every problem that it may answer. */
  readonly problems: readonly ProblemCode[]
}

/**
 * Derives the table of an api. Two operations on one path and method stop the start.
 *
 * ```ts
 * operations(directory).map(({ method, path }) => `${method} ${path}`) // ['GET /user', 'GET /user/{id}', …]
 * ```
 */
export function operations(api: AnyApi): readonly Operation[] {
  const table: Operation[] = []
  const taken = new Map<string, string>()
  const walk = (resource: AnyResource, above: readonly Level[]) => {
    const relations = relationsOf(
      resource,
      above.map((level) => level.resource),
    )
    for (const operation of operationsOf(api, resource, above, relations)) {
      const key = `${operation.method} ${operation.path.replace(/\{[^}]*\}/g, '{}')}`
      const other = taken.get(key)
      if (other !== undefined) {
        throw new DeclarationError(
          `api "${api.name}"`,
          `${operation.method} ${operation.path} is declared twice, as ${other} and ${operation.id}.`,
          'leave one out, or give one another path.',
        )
      }
      taken.set(key, operation.id)
      table.push(operation)
    }
    const level = { resource, parameter: parameterAt(resource, above, false), relations }
    for (const child of childrenOf(resource)) walk(child, [...above, level])
  }
  for (const resource of api.options.resources) walk(resource, [])
  return table
}

/** What all operations of one resource at one place have in common. */
interface Place {
  readonly api: AnyApi
  readonly resource: AnyResource
  readonly above: readonly Level[]
  readonly relations: readonly Relation[]
}

function* operationsOf(
  api: AnyApi,
  resource: AnyResource,
  above: readonly Level[],
  relations: readonly Relation[],
): Generator<Operation> {
  const place: Place = { api, resource, above, relations }
  const options = resource.options as ResourceOptions
  const offers = offersOf(api.options.writes, resource, relations)
  const one = `/{${parameterAt(resource, above, true)}}`
  if (offers.has('list')) {
    for (const variant of ['list', 'summary', 'detail'] as const) {
      const shape = variant === 'list' || options[variant] ? shapeOf(resource, variant) : undefined
      if (shape) yield make(place, 'list', 'list', 'GET', variant === 'list' ? '' : `-${variant}`, shape)
    }
  }
  const complete = completeShape(resource)
  if (offers.has('read')) {
    yield make(place, 'read', 'read', 'GET', one, complete)
    for (const name of options.by ?? []) {
      const lookup = complete.properties.find((property) => property.name === name) as Property
      const isTaken = above.some(({ parameter }) => parameter === name)
      const parameter = isTaken ? `${name}Value` : name
      const made = make(place, 'lookup', 'read', 'GET', `/by-${kebabCase(name)}/{${parameter}}`, complete)
      yield { ...made, id: `${made.id}.${name}`, lookup }
    }
  }
  if (offers.has('create')) {
    const location = make(place, 'read', offers.has('read') ? 'read' : 'create', 'GET', one, complete).path
    yield { ...make(place, 'create', 'create', 'POST', '', complete), location }
  }
  if (offers.has('replace')) yield make(place, 'replace', 'replace', 'PUT', one, complete)
  if (offers.has('update')) yield make(place, 'update', 'update', 'PATCH', one, complete)
  if (offers.has('delete')) yield make(place, 'delete', 'delete', 'DELETE', one, complete)
  for (const one of namedOperations(options.operations)) yield customOperation(place, one)
  if (offers.has('link')) {
    const link = directLink(relations.at(-1) as Relation) as AnyLink
    yield { ...make(place, 'link', 'link', 'PUT', one, complete), link }
    yield { ...make(place, 'unlink', 'link', 'DELETE', one, complete), link }
  }
}

/** Its id ends in the method, as a name may have several of them: `ticket.reopening.post`. */
function customOperation(place: Place, { name, segment, declared }: NamedOperation): Operation {
  const { resource, above } = place
  const { method, on, body, answer, deprecated } = declared.options
  const record = on === 'record' ? `/{${parameterAt(resource, above, false)}}` : ''
  const made = make(place, 'custom', undefined, method, `${record}/${segment}`, completeShape(resource))
  const deprecation = deprecated ?? made.deprecation
  const isOnOne = on === 'record' || above.length > 0
  return {
    ...made,
    id: made.id.replace(/custom$/, `${segment}.${method.toLowerCase()}`),
    levels: [...above, { ...(made.levels.at(-1) as Level), parameter: parameterAt(resource, above, false) }],
    status: answer ? 200 : 204,
    ...(body && { body: { properties: fieldProperties(body), ignored: [], fromPath: [] } }),
    custom: customParts(name, declared),
    ...(deprecation && { deprecation }),
    problems: deprecation?.gone ? ['gone'] : customProblems(declared, isOnOne),
  }
}

function make(
  { api, resource, above, relations }: Place,
  kind: OperationKind,
  offer: Offer | undefined,
  method: Method,
  end: string,
  shape: Shape,
): Operation {
  const resources = [...above.map((level) => level.resource), resource]
  const version = versionOf(api, resources, offer)
  const deprecation = deprecationOf(api, resources, offer)
  const prefix = version === undefined ? '' : `/v${version}`
  const parents = above.map((level) => `/${segmentOf(level.resource)}/{${level.parameter}}`).join('')
  const names = resources.map(segmentOf)
  const variant = kind === 'list' && shape.name !== 'list' ? shape.name : kind
  const isBodied = kind === 'create' || kind === 'replace' || kind === 'update'
  const isChange = kind === 'replace' || kind === 'update' || kind === 'delete'
  const isConditional = isChange && (resource.options as ResourceOptions).ifMatch === 'required'
  const isPaginated = (resource.options as ResourceOptions).paginated !== false
  return {
    id: `${version === api.options.version ? '' : `v${version}.`}${names.join('.')}.${variant}`,
    api: api.name,
    version,
    kind,
    method,
    path: `${prefix}${parents}/${segmentOf(resource)}${end}`,
    levels: [...above, { resource, parameter: parameterAt(resource, above, true), relations }],
    resource,
    shape,
    status: kind === 'create' ? 201 : 200,
    ...(kind === 'list' && { list: { parameters: listParameters(resource, api.options.pageSize), isPaginated } }),
    ...(isBodied && { body: bodyOf(resource, relations) }),
    isConditional,
    ...(deprecation && { deprecation }),
    problems: deprecation?.gone ? ['gone'] : problemsOf(kind, above.length > 0, isConditional),
  }
}

function parameterAt(resource: AnyResource, above: readonly Level[], isLast: boolean): string {
  const taken = above.map(({ parameter }) => parameter)
  return parameterOf(resource, isLast, taken)
}
