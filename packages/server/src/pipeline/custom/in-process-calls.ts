/** In-process calls of the service's own operations: the same pipelines, without a connection, an access-log line or a queue. */
import {
  type AnyApi,
  type AnyResource,
  type Operation,
  type Problem,
  ProblemError,
  problem,
  scopeOf,
} from '@nomen/core'
import { type Client, type ClientOptions, client } from '@nomen/core/client'
import { namedScope, shownScopes } from '../../auth/token-problem.ts'
import { type Caller, hasScope } from '../../define/caller/caller.ts'
import type { InProcess } from '../../define/handle.ts'
import { quoted } from '../../foundation/quoted.ts'
import { Router } from '../../message/router.ts'
import { hasNoBody, problemResponse, type TextResponse } from '../../message/text-response.ts'
import { encodedTag } from '../entity-tag.ts'
import type { CallablePipelines, Pipeline } from '../pipeline.ts'
import type { RawRequest } from '../read/parsed-request.ts'
import { readAfter } from '../read-after.ts'

/** The request whose handler calls operations. */
export interface CallingRequest {
  readonly raw: RawRequest
  readonly caller: Caller
  /** Throws while a transaction of the handler is open, because a call outside of it would wait for the transaction. */
  readonly assertCallable?: () => void
}

/** The in-process calls of one request. */
export interface RequestCalls {
  readonly call: InProcess
  /** Adds the write position of the calls to the response, so that the client can read its writes from a replica. */
  readonly withPosition: (response: TextResponse) => TextResponse
  /** Sets the write position of a transaction. */
  readonly setPosition: (position: string) => void
}

export type OpenCalls = (origin: CallingRequest) => RequestCalls

/**
 * Prepares the calls of a service's apis at start. The pipelines may be added later, before the first call. Calls of internal
 * operations need no scope, because no token can have one for them.
 */
export function inProcessCalls(apis: readonly AnyApi[], pipelines: CallablePipelines): OpenCalls {
  const versions = new Map(apis.map((api) => [api, versionsOf(api)]))
  const findOperation = operationFinder(() => [...pipelines.public.keys(), ...pipelines.internal.keys()])
  return (request) => {
    let lastPosition: string | undefined
    const sendCall = callSender(request, pipelines, findOperation)
    const send = async (url: string, options: RequestInit, caller: Caller) => {
      const response = await sendCall(url, options, caller, lastPosition ?? request.raw.headers[readAfter])
      lastPosition = response.headers?.[readAfter] ?? lastPosition
      return response
    }
    return {
      call: <A extends AnyApi>(api: A, caller = request.caller) => {
        const options = versions.get(api)
        if (!options)
          throw new Error(`The api "${api.name}" does not belong to this service. Use a client with its URL.`)
        const fetch = async (url: string, init: RequestInit) => responseOf(await send(url, init, caller))
        return client<A>({ ...options, ...clientOptions, fetch } as unknown as ClientOptions<A>) as Client<A, 'handler'>
      },
      withPosition: (response) =>
        lastPosition === undefined
          ? response
          : { ...response, headers: { ...response.headers, [readAfter]: lastPosition } },
      setPosition: (position) => {
        lastPosition = position
      },
    }
  }
}

type ReadPosition = RawRequest['headers'][string]

/** Returns the function that runs the pipeline of one call. `readPosition` is the position that its reads must have reached. */
function callSender(
  { raw, assertCallable }: CallingRequest,
  { public: publicPipelines, internal }: CallablePipelines,
  findOperation: ReturnType<typeof operationFinder>,
) {
  return async (
    url: string,
    { method = 'GET', headers, body }: RequestInit,
    caller: Caller,
    readPosition: ReadPosition,
  ): Promise<TextResponse> => {
    assertCallable?.()
    // Not parsed as a URL, which would remove the path values "." and "..".
    const [path = '', query = ''] = url.slice(baseUrl.length).split(/\?(.*)/s)
    const match = findOperation(method, path)
    if (!match) return problemResponse(emptyValueProblem(path))
    const { operation, parameters } = match
    const scope = scopeOf(operation)
    if (!internal.has(operation) && !hasScope(caller, scope))
      return problemResponse(insufficientScope(scope, operation, caller))
    return runPipeline(internal.get(operation) ?? (publicPipelines.get(operation) as Pipeline), caller, {
      address: raw.address,
      requestId: raw.requestId,
      path,
      parameters,
      query,
      headers: { ...Object.fromEntries(new Headers(headers)), ...headersOf(raw, readPosition) },
      body: typeof body === 'string' ? Buffer.from(body) : undefined,
      ...(raw.isCurrent && { isCurrent: raw.isCurrent }),
      isFromHandler: true,
      trace: raw.trace,
      transaction: raw.transaction,
    })
  }
}

const baseUrl = 'http://service'
const clientOptions = { baseUrl, retries: 0, isPathKept: true }

/** The headers that a call takes from the request: the application of a change is that of the request. */
function headersOf({ requestId, headers }: RawRequest, readPosition: ReadPosition) {
  return {
    'x-request-id': requestId,
    'user-agent': headers['user-agent'],
    referer: headers.referer,
    ...(readPosition !== undefined && { [readAfter]: readPosition }),
  }
}

/** Finds the operation of a call. Undefined if a value in the path is empty. */
function operationFinder(operations: () => readonly Operation[]) {
  let routes: Router<Operation> | undefined
  return (method: string, path: string) => {
    routes ??= routesTo(operations())
    const match = routes.find(path)
    const operation = match?.routes.get(method)
    if (match && operation) return { operation, parameters: match.parameters }
    if (hasEmptyValue(path)) return undefined
    throw new Error(
      `${method} ${path} is not an operation of this service. Add it to offers of its resource, or to internal.`,
    )
  }
}

/** An empty identity or lookup value matches no route, and no record has one. */
function hasEmptyValue(path: string): boolean {
  return /\/(?=\/|$)/.test(path)
}

function emptyValueProblem(path: string): Problem {
  return problem('record-not-found', { detail: `There is no record at ${quoted(path)}: a value in the path is empty.` })
}

function routesTo(operations: readonly Operation[]): Router<Operation> {
  const routes = new Router<Operation>()
  for (const operation of operations) routes.add(operation.method, operation.path, operation)
  return routes
}

async function runPipeline(pipeline: Pipeline, caller: Caller, raw: RawRequest): Promise<TextResponse> {
  try {
    return await pipeline(raw, caller)
  } catch (error) {
    if (error instanceof ProblemError) return problemResponse(error.problem)
    throw error
  }
}

/** Omits the request ID. The pipeline of the handler treats a problem with a request ID as a failure of another service. */
function responseOf(response: TextResponse): Response {
  const { status, body, etag: tag, headers } = response
  const responseHeaders = { ...headers, ...(tag !== undefined && { etag: encodedTag(tag, undefined) }) }
  return new Response(body === '' || hasNoBody(status) ? null : body, { status, headers: responseHeaders })
}

function insufficientScope(scope: string, { method, path }: Operation, { scopes }: Caller): Problem {
  const detail = `This operation also requires ${namedScope(scope)} for ${method} ${path}; the caller has ${shownScopes(scopes)}.`
  return problem('insufficient-scope', { detail, hint: `Request a token with ${namedScope(scope)} from the issuer.` })
}

/** The version options that a client of the api needs. */
function versionsOf({ options }: AnyApi): { readonly version?: number; readonly versions: Versions } {
  const versions: Record<string, unknown> = {}
  const walk = (resource: AnyResource, parentPath: string) => {
    const { path, version, children = [] } = resource.options as PathOptions
    const resourcePath = `${parentPath}${path ?? resource.noun.name}`
    if (version !== undefined) versions[resourcePath] = version
    for (const child of children) walk(child, `${resourcePath}.`)
  }
  for (const resource of options.resources) walk(resource, '')
  return { ...(options.version !== undefined && { version: options.version }), versions }
}

interface PathOptions {
  readonly path?: string
  readonly version?: unknown
  readonly children?: readonly AnyResource[]
}

type Versions = { readonly [resourcePath: string]: unknown }
