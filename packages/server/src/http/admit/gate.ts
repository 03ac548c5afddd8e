/** Decides whether a request is admitted, and for which caller. */
import { problem } from '@nomen/core'
import type { Authenticate } from '../../auth/authenticate.ts'
import type { Challenger } from '../../auth/token-problem.ts'
import { type Caller, callerWithoutScopes, hasScope } from '../../define/caller/caller.ts'
import { andThen, attempt, type MaybePromise } from '../../foundation/maybe-promise.ts'
import { quoted } from '../../foundation/quoted.ts'
import { hostOf, isPath, type RequestHead } from '../../message/request-head.ts'
import { problemResponse, type TextResponse } from '../../message/text-response.ts'
import type { FaultListener } from '../../observe/fault-report.ts'
import { errorResponse } from '../error-response.ts'
import type { Exchange } from '../exchange.ts'

/** Returns a response if the request is rejected for every caller. */
export type Check = (request: RequestHead) => TextResponse | undefined

/**
 * Sets the caller of an exchange, or returns a response if the caller lacks a required scope. Without required scopes, anyone is allowed. It
 * never throws.
 */
export type Admit = (exchange: Exchange, requiredScopes: string | undefined) => MaybePromise<TextResponse | undefined>

/** Allows all callers. The checks run in order; the first one that rejects the request decides. */
export function allowAll(checks: readonly Check[]): Admit {
  return ({ request }) => rejectionBy(checks, request)
}

export interface BearerAuthDependencies {
  readonly checks: readonly Check[]
  readonly authenticate: Authenticate
  readonly challenge: Challenger
  readonly onFault: FaultListener
}

/** Allows callers with a valid bearer token that has the required scopes. */
export function bearerAuth({ checks, authenticate, challenge, onFault }: BearerAuthDependencies): Admit {
  const admitCaller = (
    exchange: Exchange,
    caller: Caller | TextResponse,
    requiredScopes: string,
  ): TextResponse | undefined => {
    if (isRejected(caller)) return caller
    // The access log names the caller of a rejected request, too.
    exchange.caller = caller
    return hasScope(caller, requiredScopes) ? undefined : challenge.insufficientScope(requiredScopes, caller.scopes)
  }
  return (exchange, requiredScopes) => {
    exchange.caller = callerWithoutScopes
    const rejection = rejectionBy(checks, exchange.request)
    if (rejection || requiredScopes === undefined) return rejection
    return attempt<TextResponse | undefined>(
      () => andThen(authenticate(exchange.request), (caller) => admitCaller(exchange, caller, requiredScopes)),
      (error) => errorResponse(error, exchange, onFault),
    )
  }
}

/** Allows the caller that the exchange already has, which code of this process has set, if it has the required scopes. */
export function assumedGate(checks: readonly Check[], challenge: Challenger): Admit {
  return ({ request, caller }, requiredScopes) => {
    const rejection = rejectionBy(checks, request)
    if (rejection || requiredScopes === undefined || hasScope(caller, requiredScopes)) return rejection
    return challenge.insufficientScope(requiredScopes, caller.scopes)
  }
}

function isRejected(caller: Caller | TextResponse): caller is TextResponse {
  return 'status' in caller
}

/** The response of the first check that rejects the request. */
function rejectionBy(checks: readonly Check[], request: RequestHead): TextResponse | undefined {
  for (const check of checks) {
    const rejection = check(request)
    if (rejection) return rejection
  }
  return undefined
}

/** The maximum number of headers. Their size has its own limit. */
const maxHeaders = 500

/** Rejects a request with too many headers. */
export function headerCheck({ rawHeaders }: RequestHead): TextResponse | undefined {
  // Names and values alternate.
  const count = rawHeaders.length / 2
  if (count <= maxHeaders) return undefined
  const texts = { detail: `The request has ${count} headers.`, hint: `Send at most ${maxHeaders} headers.` }
  return problemResponse(problem('header-too-large', texts))
}

/** Requires the Host header of HTTP/1.1. With `isLocalOnly`, the host must also be this machine. */
export function hostCheck(isLocalOnly: boolean): Check {
  // Clients usually send the same host, so the last valid one is cached.
  let lastValidHost: string | undefined
  return (request) => {
    const { host } = request.headers
    if (host !== undefined && host === lastValidHost && isPath(request)) return undefined
    const rejection = hostRejection(request, isLocalOnly)
    if (!rejection && isPath(request)) lastValidHost = host
    return rejection
  }
}

function hostRejection(request: RequestHead, isLocalOnly: boolean): TextResponse | undefined {
  const { headers, httpVersion } = request
  const host = hostOf(request)
  if (headers.host === undefined && httpVersion !== '1.0') {
    const texts = { detail: 'The request has no Host header.', hint: 'Send a Host header; HTTP/1.1 requires it.' }
    return problemResponse(problem('bad-request', texts))
  }
  if (host === undefined) return undefined
  if (host === '' && !isPath(request)) {
    const texts = { detail: 'The URL of the request has no host.', hint: 'Send the path only, such as /user/7.' }
    return problemResponse(problem('bad-request', texts))
  }
  const [, name = host] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host) ?? []
  if (!isLocalOnly || isLoopback(name)) return undefined
  // DNS rebinding: a page of another site may let its own host name resolve to this machine.
  const detail = `The host of the request is ${quoted(host)}, but this service accepts only localhost: it runs without authentication or in development mode.`
  return problemResponse(
    problem('foreign-host', {
      detail,
      hint: 'Use localhost or 127.0.0.1 as the host, or start the service with --auth jwt.',
    }),
  )
}

/** Whether a host name or address is that of this machine. */
export function isLoopback(host: string): boolean {
  return /^(localhost|(.+\.)?localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
}
