/** Calls of a service's own operations from within: the same lines, without a connection, a log line or a turn to wait for. */
import {
  type AnyApi,
  type AnyResource,
  isCovered,
  type Operation,
  type Problem,
  ProblemError,
  problem,
  scopeOf,
} from '@nomen/core'
import { type ClientOptions, client } from '@nomen/core/client'
import { namedScope } from '../../auth/token-problem.ts'
import type { Caller } from '../../define/caller.ts'
import type { InProcess } from '../../define/handle.ts'
import { quoted } from '../../foundation/quoted.ts'
import { type Answer, hasNoBody, problemAnswer } from '../../message/answer.ts'
import { Router } from '../../message/router.ts'
import { encodedTag } from '../entity-tag.ts'
import type { Pipeline } from '../pipeline.ts'
import type { RawRequest } from '../read/ask.ts'
import { readAfter } from '../read-after.ts'

/** The request from which operations are called. */
export interface Origin {
  readonly raw: RawRequest
  readonly caller: Caller
  readonly requestId: string
  /** Throws where nothing is to be called now. */
  readonly refuse?: () => void
}

/** What is called on behalf of one request. */
export interface Within {
  readonly call: InProcess
  /** The answer with the position of what was written meanwhile, so that the client can read it wherever it asks. */
  readonly withPosition: (answer: Answer) => Answer
  /** Takes the position of what was written by another way. */
  readonly note: (position: string) => void
}

export type Calls = (origin: Origin) => Within

/** Prepares the calls of a service's apis at start. The lines need not be there before the first call. */
export function inProcess(apis: readonly AnyApi[], lines: ReadonlyMap<Operation, Pipeline>): Calls {
  const versions = new Map(apis.map((api) => [api, versionsOf(api)]))
  let routes: Router<Operation> | undefined
  const find = (method: string, path: string) => {
    routes ??= routesTo([...lines.keys()])
    const found = routes.find(path)
    const route = found?.routes.get(method)
    if (found && route) return { route, parameters: found.parameters }
    if (!hasEmptyValue(path)) throw new Error(`${method} ${path} is not an operation of this service.`)
    return undefined
  }
  return ({ raw, caller: own, requestId, refuse }) => {
    const after = raw.headers[readAfter]
    let position: string | undefined
    const send = async (url: string, { method = 'GET', headers, body }: RequestInit, caller: Caller) => {
      refuse?.()
      // Not as a URL, which would lose the values "." and "..".
      const [path = '', query = ''] = url.slice(origin.length).split(/\?(.*)/s)
      const found = find(method, path)
      if (!found) return problemAnswer(nothingAt(path))
      const { route, parameters } = found
      const scope = scopeOf(route)
      if (!isCovered(scope, caller.scopes)) return problemAnswer(insufficient(scope, route))
      const seen = position ?? after
      const answer = await walked(lines.get(route) as Pipeline, caller, {
        address: raw.address,
        requestId,
        path,
        parameters,
        query,
        headers: {
          ...Object.fromEntries(new Headers(headers)),
          'x-request-id': requestId,
          ...(seen !== undefined && { [readAfter]: seen }),
        },
        body: typeof body === 'string' ? Buffer.from(body) : undefined,
        ...(raw.isCurrent && { isCurrent: raw.isCurrent }),
        watch: raw.watch,
        transaction: raw.transaction,
      })
      position = answer.headers?.[readAfter] ?? position
      return answer
    }
    return {
      call: <A extends AnyApi>(api: A, caller = own) => {
        const options = versions.get(api)
        if (!options) throw new Error(`The api "${api.name}" is none of this service: it cannot be called from within.`)
        const fetch = async (url: string, request: RequestInit) => responseOf(await send(url, request, caller))
        return client<A>({ ...options, ...within, fetch } as unknown as ClientOptions<A>)
      },
      withPosition: (answer) =>
        position === undefined ? answer : { ...answer, headers: { ...answer.headers, [readAfter]: position } },
      note: (written) => {
        position = written
      },
    }
  }
}

const origin = 'http://service'
const within = { baseUrl: origin, retries: 0, isPathKept: true }

/** No path leads to a record by an empty identity or value. */
function hasEmptyValue(path: string): boolean {
  return /\/(?=\/|$)/.test(path)
}

function nothingAt(path: string): Problem {
  return problem('record-not-found', { detail: `There is no record at ${quoted(path)}: a value in it is empty.` })
}

function routesTo(operations: readonly Operation[]): Router<Operation> {
  const routes = new Router<Operation>()
  for (const operation of operations) routes.add(operation.method, operation.path, operation)
  return routes
}

async function walked(line: Pipeline, caller: Caller, raw: RawRequest): Promise<Answer> {
  try {
    return await line(raw, caller)
  } catch (error) {
    if (error instanceof ProblemError) return problemAnswer(error.problem)
    throw error
  }
}

/** Without a request id: by that, a problem of another service is told from one of our own. */
function responseOf(answer: Answer): Response {
  const { status, body, tag, headers } = answer
  const given = { ...headers, ...(tag !== undefined && { etag: encodedTag(tag, undefined) }) }
  return new Response(body === '' || hasNoBody(status) ? null : body, { status, headers: given })
}

function insufficient(scope: string, { method, path }: Operation): Problem {
  const detail = `This also takes ${namedScope(scope)}, for ${method} ${path}, and the caller does not have that.`
  return problem('insufficient-scope', { detail, hint: `Ask the issuer for a token with ${namedScope(scope)}.` })
}

/** The versions of an api as its client is told them. */
function versionsOf({ options }: AnyApi): { readonly version?: number; readonly versions: Versions } {
  const versions: Record<string, unknown> = {}
  const walk = (resource: AnyResource, above: string) => {
    const { path, version, children = [] } = resource.options as Placed
    const names = `${above}${path ?? resource.noun.name}`
    if (version !== undefined) versions[names] = version
    for (const child of children) walk(child, `${names}.`)
  }
  for (const resource of options.resources) walk(resource, '')
  return { ...(options.version !== undefined && { version: options.version }), versions }
}

interface Placed {
  readonly path?: string
  readonly version?: unknown
  readonly children?: readonly AnyResource[]
}

type Versions = { readonly [names: string]: unknown }
