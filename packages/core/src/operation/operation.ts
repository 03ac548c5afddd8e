/** The operation table: every operation of an api, with its path, parameters, shapes and problems. */
import type { AnyApi } from '../api/api.ts'
import type { Deprecation } from '../declaration/deprecation.ts'
import { DeclarationError } from '../declaration/error.ts'
import type { FieldSpec } from '../field/field.ts'
import { timestamp } from '../field/kinds.ts'
import { kebabCase } from '../naming/kebab-case.ts'
import { hasHistory } from '../noun/change.ts'
import type { AnyLink } from '../noun/link.ts'
import type { AnyNoun } from '../noun/noun.ts'
import { type Offers, offersOf } from '../resource/offer.ts'
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
import { type ListParameter, listParameters, recordedParameters } from './list-parameter.ts'
import { customProblems, problemsOf } from './problem.ts'

/** An HTTP method of an operation. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A resource in a path: `/user/{userId}` has one level, `/user/{userId}/preference/{id}` two. */
export interface Level {
  readonly resource: AnyResource
  /** The name of the ID in the path template. */
  readonly parameter: string
  /** The relations of the record to the levels before it. */
  readonly relations: readonly Relation[]
}

/** The parts of a list. */
interface ListParts {
  readonly parameters: readonly ListParameter[]
  readonly isPaginated: boolean
  /** Present for history entries: clients may wait for new ones, also with server-sent events. */
  readonly isFollowed?: true
}

/** An operation (endpoint) of an api: a method on a path, with its parameters, shapes and problems. */
export interface Operation {
  /** Unique in the api: `user.list`, `user.preference.update`; `v2.user.list` if its version differs from the api's. */
  readonly id: string
  readonly api: string
  readonly version: number | undefined
  readonly kind: OperationKind
  readonly method: Method
  /** The path template: `/v1/user/{id}`. */
  readonly path: string
  /** The resources of the path in order. The last one is the resource of the operation. */
  readonly levels: readonly Level[]
  readonly resource: AnyResource
  /** The shape of the record, or of each record in a list. */
  readonly shape: Shape
  /** The status of a successful response. */
  readonly status: 200 | 201 | 204
  /** Present for a list. */
  readonly list?: ListParts
  /** Present for a write with a request body. */
  readonly body?: Body
  /** Present for a create and a restore: the path template of the record. */
  readonly location?: string
  /** Present for a lookup: the unique property in the path. */
  readonly lookup?: Property
  /** Present for a read of a noun with history: the type of the query parameter `at`, the time of the record's state. */
  readonly at?: FieldSpec
  /** Present for a list of the changes of all records of a noun. */
  readonly changesOf?: AnyNoun
  /** Present for link and unlink. */
  readonly link?: AnyLink
  /** Present for a custom operation. */
  readonly custom?: CustomParts
  /** Present for an operation of `withoutFields` (view.ts): the properties that the caller does not see. */
  readonly hidden?: readonly string[]
  /** Whether the request must have an If-Match header. */
  readonly requiresIfMatch: boolean
  /** The description in the declaration. */
  readonly description?: string
  /** Present if the operation is deprecated. */
  readonly deprecation?: Deprecation
  /** The codes of all problems that it may return. */
  readonly problems: readonly ProblemCode[]
}

/**
 * Derives the operation table (route table) of an api: the public operations, one for each method and path.
 *
 * @example
 * ```ts
 * operations(directory).map(({ method, path }) => `${method} ${path}`) // ['GET /user', 'GET /user/{id}', …]
 * ```
 *
 * @throws DeclarationError if two operations have the same method and path
 */
export function operations(api: AnyApi): readonly Operation[] {
  return tableOf(api, 'public')
}

/**
 * Derives the operation table of the operations that only handlers of the service may call (option `internal` of a resource).
 *
 * @example
 * ```ts
 * internalOperations(directory).map(({ method, path }) => `${method} ${path}`) // ['POST /loan']
 * ```
 *
 * @throws DeclarationError if two operations have the same method and path
 */
export function internalOperations(api: AnyApi): readonly Operation[] {
  return tableOf(api, 'internal')
}

type Access = keyof Offers

function tableOf(api: AnyApi, access: Access): readonly Operation[] {
  const table: Operation[] = []
  const idsByKey = new Map<string, string>()
  const addOperations = (resource: AnyResource, above: readonly Level[]) => {
    const relations = relationsOf(
      resource,
      above.map((level) => level.resource),
    )
    for (const operation of operationsOf({ api, resource, above, relations, access })) {
      const key = `${operation.method} ${operation.path.replace(/\{[^}]*\}/g, '{}')}`
      const existing = idsByKey.get(key)
      if (existing !== undefined) {
        throw new DeclarationError(
          `api "${api.name}"`,
          `${operation.method} ${operation.path} is declared twice, as ${existing} and ${operation.id}.`,
          'remove one of them, or change its path.',
        )
      }
      idsByKey.set(key, operation.id)
      table.push(operation)
    }
    const level = { resource, parameter: parameterAt(resource, above, false), relations }
    for (const child of childrenOf(resource)) addOperations(child, [...above, level])
  }
  for (const resource of api.options.resources) addOperations(resource, [])
  return table
}

/** The parts that all operations of one resource at one path share. */
interface Context {
  readonly api: AnyApi
  readonly resource: AnyResource
  readonly above: readonly Level[]
  readonly relations: readonly Relation[]
  readonly access: Access
}

function* operationsOf(context: Context): Generator<Operation> {
  const { api, resource, above, relations, access } = context
  const options = resource.options as ResourceOptions
  const offers = offersOf(api.options.writes, resource, relations)[access]
  const recordPath = `/{${parameterAt(resource, above, true)}}`
  if (offers.has('list')) {
    for (const variant of ['list', 'summary', 'detail'] as const) {
      const shape = variant === 'list' || options[variant] ? shapeOf(resource, variant) : undefined
      if (!shape) continue
      const list = makeOperation(context, 'list', 'list', 'GET', variant === 'list' ? '' : `-${variant}`, shape)
      yield list
      if (list.list?.isFollowed && above.length === 1) yield changesOfAll(context, list)
    }
  }
  const complete = completeShape(resource)
  if (offers.has('read')) {
    yield withAt(makeOperation(context, 'read', 'read', 'GET', recordPath, complete))
    for (const name of options.by ?? []) {
      const lookup = complete.properties.find((property) => property.name === name) as Property
      const isUsed = above.some(({ parameter }) => parameter === name)
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

/** Lists the changes of all records of a root resource: `GET /user/change`. */
function changesOfAll({ api, resource: changes, above }: Context, list: Operation): Operation {
  const { resource, parameter } = above[0] as Level
  const parameters = recordedParameters({ resource, changes }, api.options.pageSize)
  return {
    ...list,
    id: `${list.id}-all`,
    path: list.path.replace(`/{${parameter}}`, ''),
    levels: [{ ...(list.levels.at(-1) as Level), relations: [] }],
    list: { ...(list.list as ListParts), parameters },
    changesOf: resource.noun,
    problems: list.problems.filter((code) => code !== 'record-not-found'),
  }
}

/** Brings a deleted record back: `POST /user/{userId}/restoration`. */
function restoration(context: Context): Operation {
  const { resource, above } = context
  const recordPath = `/{${parameterAt(resource, above, true)}}`
  const location = makeOperation(context, 'read', 'read', 'GET', recordPath, completeShape(resource)).path
  return { ...belowRecord(context, 'restore', 'restoration'), location }
}

/** A POST at a path below a record. */
function belowRecord(context: Context, kind: 'restore' | 'erase', segment: string): Operation {
  const { resource, above } = context
  const parameter = parameterAt(resource, above, false)
  const operation = makeOperation(context, kind, kind, 'POST', `/{${parameter}}/${segment}`, completeShape(resource))
  return { ...operation, levels: [...above, { ...(operation.levels.at(-1) as Level), parameter }] }
}

/** The additional problems of a list that clients follow. */
export const followProblems = ['invalid-header', 'too-many-requests'] as const satisfies readonly ProblemCode[]

function listParts(api: AnyApi, resource: AnyResource): ListParts {
  const parameters = listParameters(resource, api.options.pageSize)
  const isPaginated = (resource.options as ResourceOptions).paginated !== false
  const isFollowed = parameters.some(({ kind }) => kind === 'after-id')
  return { parameters, isPaginated, ...(isFollowed && { isFollowed }) }
}

/** The additional problems of a read with the parameter `at`. */
export const historyProblems = ['invalid-parameter', 'history-too-short'] as const satisfies readonly ProblemCode[]

const atSpec: FieldSpec = timestamp().spec

/** A record with history can also be read as it was at a time. */
function withAt(operation: Operation): Operation {
  if (!hasHistory(operation.resource.noun) || operation.deprecation?.gone) return operation
  return { ...operation, at: atSpec, problems: [...operation.problems, ...historyProblems] }
}

/** The id of a custom operation ends in the method, because one name may have several methods: `ticket.reopening.post`. */
function customOperation(context: Context, { name, segment, declaration }: NamedOperation): Operation {
  const { resource, above } = context
  const { method, on, body, response, deprecated, description } = declaration.options
  const recordPath = on === 'record' ? `/{${parameterAt(resource, above, false)}}` : ''
  const operation = makeOperation(
    context,
    'custom',
    undefined,
    method,
    `${recordPath}/${segment}`,
    completeShape(resource),
  )
  const deprecation = deprecated ?? operation.deprecation
  const hasRecord = on === 'record' || above.length > 0
  return {
    ...operation,
    id: operation.id.replace(/custom$/, `${segment}.${method.toLowerCase()}`),
    levels: [...above, { ...(operation.levels.at(-1) as Level), parameter: parameterAt(resource, above, false) }],
    status: response ? 200 : 204,
    ...(body && { body: { properties: fieldProperties(body), ignored: [], managed: [], fromPath: [] } }),
    custom: customParts(name, declaration),
    ...(description !== undefined && { description }),
    ...(deprecation && { deprecation }),
    problems: deprecation?.gone ? ['gone'] : customProblems(declaration, hasRecord),
  }
}

function makeOperation(
  { api, resource, above, relations, access }: Context,
  kind: OperationKind,
  offer: Offer | undefined,
  method: Method,
  pathSuffix: string,
  shape: Shape,
): Operation {
  const resources = [...above.map((level) => level.resource), resource]
  const version = versionOf(api, resources, offer)
  // Handlers may still call an operation whose resource is deprecated or gone for callers.
  const deprecation = access === 'public' ? deprecationOf(api, resources, offer) : undefined
  const description = descriptionOf(resource, kind)
  const prefix = version === undefined ? '' : `/v${version}`
  const parents = above.map((level) => `/${segmentOf(level.resource)}/{${level.parameter}}`).join('')
  const names = resources.map(segmentOf)
  const idSuffix = kind === 'list' && shape.name !== 'list' ? shape.name : kind
  const hasBody = kind === 'create' || kind === 'replace' || kind === 'update'
  const isChange = kind === 'replace' || kind === 'update' || kind === 'delete'
  const requiresIfMatch = isChange && (resource.options as ResourceOptions).ifMatch === 'required'
  const list = kind === 'list' ? listParts(api, resource) : undefined
  const problems = [...problemsOf(kind, above.length > 0, requiresIfMatch), ...(list?.isFollowed ? followProblems : [])]
  return {
    id: `${version === api.options.version ? '' : `v${version}.`}${names.join('.')}.${idSuffix}`,
    api: api.name,
    version,
    kind,
    method,
    path: `${prefix}${parents}/${segmentOf(resource)}${pathSuffix}`,
    levels: [...above, { resource, parameter: parameterAt(resource, above, true), relations }],
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

/** The description of an operation. If the option is a string, it describes the lists. A lookup has the description of a read. */
function descriptionOf(resource: AnyResource, kind: OperationKind): string | undefined {
  const { description } = resource.options as ResourceOptions
  if (typeof description !== 'object') return kind === 'list' ? description : undefined
  return kind === 'custom' ? undefined : description[kind === 'lookup' ? 'read' : kind]
}

function parameterAt(resource: AnyResource, above: readonly Level[], isLast: boolean): string {
  const usedNames = above.map(({ parameter }) => parameter)
  return parameterOf(resource, isLast, usedNames)
}
