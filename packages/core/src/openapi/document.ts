/** The OpenAPI 3.1 document of an api, from its table of operations. */
import type { AnyApi } from '../api/api.ts'
import type { Contact, License } from '../declaration/contact.ts'
import type { JsonSchema } from '../field/schema.ts'
import { type AnyNoun, tenantField } from '../noun/noun.ts'
import type { Operation } from '../operation/operation.ts'
import { operations } from '../operation/table.ts'
import type { ProblemCode } from '../wire/problem.ts'
import { Components } from './component.ts'
import type { DocumentComponents } from './document-components.ts'
import { introductionOf } from './introduction.ts'
import { operationObject } from './operation/operation-object.ts'
import { crossSiteProblems, problemSchema, rateLimitProblems, tokenProblems } from './operation/problem-response.ts'
import { withReadAfter } from './operation/read-after.ts'
import { fieldSchemas } from './schema/field.ts'
import { pageInfoSchema } from './schema/page.ts'
import {
  rateLimitHeaders,
  replicaHeaders,
  replicaParameters,
  sharedHeaders,
  sharedParameters,
  tokenHeaders,
} from './shared.ts'

/** Options of an OpenAPI document. */
export interface OpenApiOptions {
  /**
   * The title of the document.
   *
   * @default the name of the api
   */
  readonly title?: string
  /**
   * The version of the document (`info.version`).
   *
   * @default the version of the api
   */
  readonly version?: string
  /** The URLs of the servers, without the version: `servers: ['https://example.com']`. */
  readonly servers?: readonly string[]
  /** Whether callers need a token. Each operation then lists its OAuth scopes. */
  readonly isSecured?: boolean
  /** Whether callers need no token. The service then rejects cross-site writes of browsers (403). */
  readonly isOpen?: boolean
  /** Whether the service has a rate limit. Every operation may then return 429. */
  readonly isLimited?: boolean
  /** Nouns with row-level visibility. Writes after which the caller could not see the record get 403. */
  readonly narrowed?: readonly AnyNoun[]
  /** Whether reads may come from replicas. Responses to writes then have an `X-Read-After` header, and reads accept it. */
  readonly hasReplicas?: boolean
  /** The URL of the OpenID Connect issuer of the tokens. */
  readonly issuer?: string
  /** Whether the description of the document explains pages, filters, errors and ETags, for readers of an API reference. */
  readonly hasIntroduction?: boolean
}

/** An OpenAPI 3.1 document. */
export interface OpenApi {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description?: string
    readonly contact?: Contact
    readonly license?: License
  }
  readonly servers?: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: { readonly [path: string]: { readonly [method: string]: JsonSchema } }
  readonly components: { readonly [kind: string]: { readonly [name: string]: JsonSchema } }
  readonly [extension: `x-${string}`]: unknown
}

/**
 * Generates the OpenAPI 3.1 document of an api, or of several apis under one prefix.
 *
 * @example
 * ```ts
 * const document = openapi(directory, { servers: ['https://example.com'] })
 * console.log(JSON.stringify(document, null, 2))
 * ```
 */
export function openapi(api: AnyApi | readonly AnyApi[], options: OpenApiOptions = {}): OpenApi {
  const apis = [api].flat() as readonly AnyApi[]
  const { versioning, writes } = (apis[0] as AnyApi).options
  const table = apis
    .flatMap((api) => operations(api))
    .map((operation) => withCallerProblems(operation, options.narrowed ?? []))
  const schemas = new Components('schemas')
  // Before all others: a noun may be called "problem" or "page-info" as well.
  schemas.refer(['Problem'], problemSchema)
  if (table.some(({ list, deprecation }) => list?.isPaginated && !deprecation?.gone))
    schemas.refer(['PageInfo'], pageInfoSchema)
  const components = { schemas, responses: new Components('responses'), fieldSchema: fieldSchemas(schemas, table) }
  const isSecured = options.isSecured === true || options.issuer !== undefined
  const schemes = isSecured ? securitySchemes(options.issuer) : {}
  const ignored = apis.flatMap(({ options: { ignore = [] } }) => ignore)
  const paths = pathsOf(table, components, Object.keys(schemes), options)
  return {
    openapi: '3.1.0',
    info: infoOf(apis, table, options),
    ...(options.servers && { servers: options.servers.map((url) => ({ url })) }),
    tags: tagsOf(table),
    paths: literalFirst(paths),
    components: {
      schemas: components.schemas.all(),
      responses: components.responses.all(),
      parameters: { ...sharedParameters, ...(options.hasReplicas && replicaParameters) },
      headers: {
        ...sharedHeaders,
        ...(isSecured && tokenHeaders),
        ...(options.isLimited && rateLimitHeaders),
        ...(options.hasReplicas && replicaHeaders),
      },
      ...(isSecured && { securitySchemes: schemes }),
    },
    'x-nomen-versioning': versioning,
    'x-nomen-writes': writes,
    ...(ignored.length > 0 && { 'x-nomen-ignore': ignored }),
  }
}

function infoOf(apis: readonly AnyApi[], table: readonly Operation[], options: OpenApiOptions): OpenApi['info'] {
  const descriptions = apis.flatMap((api) => api.options.description ?? [])
  const description = [...descriptions, ...(options.hasIntroduction ? [introductionOf(table)] : [])].join('\n\n')
  const [contact] = apis.flatMap((api) => api.options.contact ?? [])
  const [license] = apis.flatMap((api) => api.options.license ?? [])
  return {
    title: options.title ?? apis.map(({ name }) => name).join(', '),
    version: options.version ?? `${apis[0]?.options.version ?? 1}`,
    ...(description !== '' && { description }),
    ...(contact && { contact }),
    ...(license && { license }),
  }
}

function pathsOf(
  table: readonly Operation[],
  components: DocumentComponents,
  schemes: readonly string[],
  options: OpenApiOptions,
): OpenApi['paths'] {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  const requestProblems = [
    ...(schemes.length > 0 ? tokenProblems : []),
    ...(options.isLimited ? rateLimitProblems : []),
  ]
  for (const operation of table) {
    const { path, method } = operation
    const canBeCrossSite = options.isOpen === true && method !== 'GET'
    const sharedProblems = canBeCrossSite ? [...requestProblems, ...crossSiteProblems] : requestProblems
    const object = operationObject(operation, components, { schemes, sharedProblems })
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: options.hasReplicas ? withReadAfter(operation, object) : object,
    }
  }
  return paths
}

/** Puts `/user/change` before `/user/{id}`, for tools that use the first path that matches, such as handlers of MSW. */
function literalFirst<Item>(paths: Readonly<Record<string, Item>>): Readonly<Record<string, Item>> {
  const patterns: { readonly path: string; readonly pattern: RegExp }[] = []
  for (const path of Object.keys(paths)) {
    const index = patterns.findIndex(({ pattern }) => pattern.test(path))
    const pattern = new RegExp(`^${path.replaceAll(/\{[^}]*\}/g, '[^/]+')}$`)
    patterns.splice(index === -1 ? patterns.length : index, 0, { path, pattern })
  }
  return Object.fromEntries(patterns.map(({ path }) => [path, paths[path] as Item]))
}

/** A tag for each noun, in the order of the table. */
function tagsOf(table: readonly Operation[]): OpenApi['tags'] {
  const nouns = new Map(table.map(({ resource: { noun } }) => [noun.name as string, noun as AnyNoun]))
  return [...nouns].map(([name, { options }]) => ({
    name,
    ...(options.description !== undefined && { description: options.description }),
  }))
}

/** Adds the problems of callers without a tenant, and of writes that would hide the record from the caller. */
function withCallerProblems(operation: Operation, narrowed: readonly AnyNoun[]): Operation {
  const { body, custom, deprecation, shape, problems } = operation
  if (deprecation?.gone) return operation
  const callerProblems: ProblemCode[] = []
  if (tenantField(shape.noun) !== undefined) callerProblems.push('tenant-required')
  if (body && !custom && narrowed.includes(shape.noun)) callerProblems.push('out-of-sight')
  return { ...operation, problems: [...problems, ...callerProblems] }
}

/** The security schemes: a bearer token and, if the issuer is known, the URL of its OpenID Connect configuration. */
function securitySchemes(issuer: string | undefined): { readonly [name: string]: JsonSchema } {
  const ofIssuer = issuer === undefined ? '' : ` of ${issuer}`
  const description = `An access token${ofIssuer}, with the scopes of the operation; \`*:read\` and \`*:write\` are those of all nouns.`
  const bearer = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description }
  if (issuer === undefined) return { bearer }
  const openIdConnectUrl = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  return { bearer, openId: { type: 'openIdConnect', openIdConnectUrl, description: 'The issuer of the tokens.' } }
}
