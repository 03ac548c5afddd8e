/** The OpenAPI 3.1 document of an api, from its table of operations. */
import type { AnyApi } from '../api/api.ts'
import type { JsonSchema } from '../field/schema.ts'
import type { AnyNoun } from '../noun/noun.ts'
import { type Operation, operations } from '../operation/operation.ts'
import { Components } from './component.ts'
import { operationObject } from './operation-object.ts'
import { limited, problemSchema, secured, unsecured } from './problem-response.ts'
import { withReadAfter } from './read-after.ts'
import {
  limitedHeaders,
  replicaHeaders,
  replicaParameters,
  securedHeaders,
  sharedHeaders,
  sharedParameters,
} from './shared.ts'

export interface OpenApiOptions {
  /** What the api is called; its own name unless given. */
  readonly title?: string
  readonly description?: string
  /** The version of the document; that of the api unless given. */
  readonly version?: string
  /** Where the api is served, without the version in its paths. */
  readonly servers?: readonly string[]
  /** Whether callers must show a token; each operation then says which scopes it takes. */
  readonly isSecured?: boolean
  /** Whether callers need no token: requests that a browser sends for pages of other sites are then refused, if they change something. */
  readonly isOpen?: boolean
  /** Whether each caller may make only so many requests: any of them may then be answered 429. */
  readonly isLimited?: boolean
  /** Nouns of which callers see only some records: writes that would put one out of their sight are refused. */
  readonly narrowed?: readonly AnyNoun[]
  /** Whether reads may come from replicas: answers to writes then have an `X-Read-After`, and reads take it. */
  readonly hasReplicas?: boolean
  /** Who makes the tokens: callers must then show one. */
  readonly issuer?: string
}

/** A document as JSON has it. */
export interface OpenApi {
  readonly openapi: '3.1.1'
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly servers?: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: { readonly [path: string]: { readonly [method: string]: JsonSchema } }
  readonly components: { readonly [kind: string]: { readonly [name: string]: JsonSchema } }
  readonly [extension: `x-${string}`]: unknown
}

/** Derives the document of one api, or of several that stand under one prefix. Whoever changes the api changes it: there is nothing to keep up by hand. */
export function openapi(api: AnyApi | readonly AnyApi[], options: OpenApiOptions = {}): OpenApi {
  const apis = [api].flat() as readonly AnyApi[]
  const { versioning, writes, version } = (apis[0] as AnyApi).options
  const shelf = { schemas: new Components('schemas'), responses: new Components('responses') }
  // Before all others: a noun may be called "problem" as well.
  shelf.schemas.refer(['Problem'], problemSchema)
  const paths: Record<string, Record<string, JsonSchema>> = {}
  const table = apis.flatMap((one) => operations(one)).map((one) => narrowedBy(options.narrowed ?? [], one))
  const isSecured = options.isSecured === true || options.issuer !== undefined
  const schemes = isSecured ? securitySchemes(options.issuer) : {}
  const refusals = [...(isSecured ? secured : []), ...(options.isLimited ? limited : [])]
  const schemeNames = Object.keys(schemes)
  const ignored = apis.flatMap(({ options: { ignore = [] } }) => ignore)
  for (const operation of table) {
    paths[operation.path] ??= {}
    const item = paths[operation.path] as Record<string, JsonSchema>
    const isRefused = options.isOpen === true && operation.method !== 'GET'
    const manner = { schemes: schemeNames, refusals: isRefused ? [...refusals, ...unsecured] : refusals }
    const object = operationObject(operation, shelf, manner)
    item[operation.method.toLowerCase()] = options.hasReplicas ? withReadAfter(operation, object) : object
  }
  return {
    openapi: '3.1.1',
    info: {
      title: options.title ?? apis.map(({ name }) => name).join(', '),
      version: options.version ?? `${version ?? 1}`,
      ...(options.description !== undefined && { description: options.description }),
    },
    ...(options.servers && { servers: options.servers.map((url) => ({ url })) }),
    tags: [...new Set(table.map(({ resource }) => resource.noun.name as string))].map((name) => ({ name })),
    paths,
    components: {
      schemas: shelf.schemas.all(),
      responses: shelf.responses.all(),
      parameters: { ...sharedParameters, ...(options.hasReplicas && replicaParameters) },
      headers: {
        ...sharedHeaders,
        ...(isSecured && securedHeaders),
        ...(options.isLimited && limitedHeaders),
        ...(options.hasReplicas && replicaHeaders),
      },
      ...(isSecured && { securitySchemes: schemes }),
    },
    'x-nomen-versioning': versioning,
    'x-nomen-writes': writes,
    ...(ignored.length > 0 && { 'x-nomen-ignore': ignored }),
  }
}

function narrowedBy(nouns: readonly AnyNoun[], operation: Operation): Operation {
  const { body, custom, deprecation, shape } = operation
  const isRefused = body && !custom && !deprecation?.gone && nouns.includes(shape.noun)
  return isRefused ? { ...operation, problems: [...operation.problems, 'out-of-sight'] } : operation
}

/** The token itself and, where it is known who makes it, where to get one: two words for the same header. */
function securitySchemes(issuer: string | undefined): { readonly [name: string]: JsonSchema } {
  const from = issuer === undefined ? '' : ` of ${issuer}`
  const description = `An access token${from}, with the scopes that the operation names; \`*:read\` and \`*:write\` are those of all nouns.`
  const bearer = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description }
  if (issuer === undefined) return { bearer }
  const openIdConnectUrl = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  return { bearer, openId: { type: 'openIdConnect', openIdConnectUrl, description: 'Where such a token comes from.' } }
}
