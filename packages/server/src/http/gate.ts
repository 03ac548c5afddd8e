/** Gates: what every request has to pass, whichever way it comes in. */
import type { IncomingMessage } from 'node:http'
import { isCovered, problem } from '@nomen/core'
import { type Answer, problemAnswer } from '../answer/write-answer.ts'
import type { Authenticate } from '../auth/authenticate.ts'
import type { Challenger } from '../auth/token-problem.ts'
import { anyone, type Caller, nobody } from '../caller.ts'
import type { FaultListener } from '../fault-report.ts'
import { quoted } from '../quoted.ts'
import { thrownAnswer } from './error-answer.ts'
import { noteCaller } from './visitor.ts'

/** Gives the answer to a request that is not let in, whoever it comes from. */
export type Check = (request: IncomingMessage) => Answer | undefined

/**
 * Lets a request in on behalf of a caller who has the scope, or gives the answer to one that is not let in; without a
 * scope anyone is. To find out may take time. It never throws.
 */
export type Gate = (request: IncomingMessage, scope: string | undefined) => Admission | Promise<Admission>

export type Admission = Caller | Answer

export function isRefused(admission: Admission): admission is Answer {
  return 'status' in admission
}

/** A gate that asks nobody who they are. The checks are made in their order; the first refusal counts. */
export function openGate(checks: readonly Check[]): Gate {
  return (request) => refusalBy(checks, request) ?? anyone
}

export interface GuardedGateParts {
  readonly checks: readonly Check[]
  readonly authenticate: Authenticate
  readonly challenge: Challenger
  readonly onFault: FaultListener
}

/** A gate that lets in whoever has a token with the scope. */
export function guardedGate({ checks, authenticate, challenge, onFault }: GuardedGateParts): Gate {
  const enter = (request: IncomingMessage, admission: Admission, scope: string): Admission => {
    if (isRefused(admission)) return admission
    // Also for the log of what is refused.
    noteCaller(request, admission)
    return isCovered(scope, admission.scopes) ? admission : challenge.insufficient(scope, admission.scopes)
  }
  return (request, scope) => {
    const refused = refusalBy(checks, request)
    if (refused) return refused
    if (scope === undefined) return nobody
    try {
      const admission = authenticate(request)
      if (!(admission instanceof Promise)) return enter(request, admission, scope)
      return admission.then(
        (done) => enter(request, done, scope),
        (error) => thrownAnswer(error, request, onFault),
      )
    } catch (error) {
      return thrownAnswer(error, request, onFault)
    }
  }
}

/** The answer of the first check that refuses the request. */
function refusalBy(checks: readonly Check[], request: IncomingMessage): Answer | undefined {
  for (const check of checks) {
    const refused = check(request)
    if (refused) return refused
  }
  return undefined
}

/** How many headers a request may have. What they take together has a limit of its own. */
const mostHeaders = 500

/** Refuses a request with more headers than anyone has a use for. */
export function headerCheck({ rawHeaders }: IncomingMessage): Answer | undefined {
  // Names and values in turn.
  const number = rawHeaders.length / 2
  if (number <= mostHeaders) return undefined
  const parts = { detail: `The request has ${number} headers.`, hint: `Send at most ${mostHeaders}.` }
  return problemAnswer(problem('header-too-large', parts))
}

/** HTTP/1.1 demands a Host header, and where anyone may call it must name this machine itself. */
export function hostCheck(isLocalOnly: boolean): Check {
  // Clients go on naming the same host: the last good one need not be judged again.
  let known: string | undefined
  return (request) => {
    const { host } = request.headers
    if (host !== undefined && host === known) return undefined
    const refused = hostRefusal(request, isLocalOnly)
    if (!refused) known = host
    return refused
  }
}

function hostRefusal({ headers: { host }, httpVersion }: IncomingMessage, isLocalOnly: boolean): Answer | undefined {
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

/** Whether a host name or address is that of the machine itself. */
export function isLoopback(host: string): boolean {
  return /^(localhost|(.+\.)?localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
}
