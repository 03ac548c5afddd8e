/** Decides whether a request is let in, and on behalf of which caller. */
import { isCovered, problem } from '@nomen/core'
import type { Authenticate } from '../../auth/authenticate.ts'
import type { Challenger } from '../../auth/token-problem.ts'
import { type Caller, nobody } from '../../define/caller.ts'
import { andThen, attempt, type MaybePromise } from '../../foundation/maybe-promise.ts'
import { quoted } from '../../foundation/quoted.ts'
import { type Answer, problemAnswer } from '../../message/answer.ts'
import type { RequestHead } from '../../message/request-head.ts'
import type { FaultListener } from '../../observe/fault-report.ts'
import { thrownAnswer } from '../error-answer.ts'
import type { Exchange } from '../exchange.ts'

/** Gives the response to a request that is refused for every caller. */
export type Check = (request: RequestHead) => Answer | undefined

/**
 * Sets the caller of an exchange, or gives the response to a caller who lacks the scope; without a scope anyone is let in. It never
 * throws.
 */
export type Admit = (exchange: Exchange, scope: string | undefined) => MaybePromise<Answer | undefined>

/** Lets anyone in. The checks run in their order; the first refusal counts. */
export function allowAll(checks: readonly Check[]): Admit {
  return ({ request }) => refusalBy(checks, request)
}

export interface GuardedGateParts {
  readonly checks: readonly Check[]
  readonly authenticate: Authenticate
  readonly challenge: Challenger
  readonly onFault: FaultListener
}

/** Lets in callers with a token that has the scope. */
export function bearerAuth({ checks, authenticate, challenge, onFault }: GuardedGateParts): Admit {
  const enter = (exchange: Exchange, caller: Caller | Answer, scope: string): Answer | undefined => {
    if (isRefused(caller)) return caller
    // The access log names the caller of a refused request, too.
    exchange.caller = caller
    return isCovered(scope, caller.scopes) ? undefined : challenge.insufficient(scope, caller.scopes)
  }
  return (exchange, scope) => {
    exchange.caller = nobody
    const refused = refusalBy(checks, exchange.request)
    if (refused || scope === undefined) return refused
    return attempt<Answer | undefined>(
      () => andThen(authenticate(exchange.request), (caller) => enter(exchange, caller, scope)),
      (error) => thrownAnswer(error, exchange, onFault),
    )
  }
}

/** Lets in the caller that the exchange has already: code of this process has named it. Its scopes count all the same. */
export function assumedGate(checks: readonly Check[], challenge: Challenger): Admit {
  return ({ request, caller }, scope) => {
    const refused = refusalBy(checks, request)
    if (refused || scope === undefined || isCovered(scope, caller.scopes)) return refused
    return challenge.insufficient(scope, caller.scopes)
  }
}

function isRefused(caller: Caller | Answer): caller is Answer {
  return 'status' in caller
}

/** The response of the first check that refuses the request. */
function refusalBy(checks: readonly Check[], request: RequestHead): Answer | undefined {
  for (const check of checks) {
    const refused = check(request)
    if (refused) return refused
  }
  return undefined
}

/** How many headers a request may have. Their size has a limit of its own. */
const maxHeaders = 500

/** Refuses a request with too many headers. */
export function headerCheck({ rawHeaders }: RequestHead): Answer | undefined {
  // Names and values in turn.
  const number = rawHeaders.length / 2
  if (number <= maxHeaders) return undefined
  const parts = { detail: `The request has ${number} headers.`, hint: `Send at most ${maxHeaders}.` }
  return problemAnswer(problem('header-too-large', parts))
}

/** HTTP/1.1 requires a Host header; `isLocalOnly`: it must name this machine. */
export function hostCheck(isLocalOnly: boolean): Check {
  // Clients name the same host again and again: the last good one is not checked again.
  let lastGood: string | undefined
  return (request) => {
    const { host } = request.headers
    if (host !== undefined && host === lastGood) return undefined
    const refused = hostRefusal(request, isLocalOnly)
    if (!refused) lastGood = host
    return refused
  }
}

function hostRefusal({ headers: { host }, httpVersion }: RequestHead, isLocalOnly: boolean): Answer | undefined {
  if (host === undefined) {
    const parts = { detail: 'The request has no Host header.', hint: 'Name the host, as HTTP/1.1 demands.' }
    return httpVersion === '1.0' ? undefined : problemAnswer(problem('bad-request', parts))
  }
  const [, name = host] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host) ?? []
  if (!isLocalOnly || isLoopback(name)) return undefined
  // A page on another site may point a name of its own at this machine; its requests then name that host.
  const detail = `The request is for ${quoted(host)}, and only this machine itself is served.`
  return problemAnswer(problem('foreign-host', { detail, hint: 'Use localhost or 127.0.0.1 as the host.' }))
}

/** Whether a host name or address is that of this machine. */
export function isLoopback(host: string): boolean {
  return /^(localhost|(.+\.)?localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
}
