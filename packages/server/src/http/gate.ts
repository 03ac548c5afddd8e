/** Gates: what every request has to pass, whichever way it comes in. */
import type { IncomingMessage } from 'node:http'
import { problem } from '@nomen/core'
import { type Answer, problemAnswer } from '../answer/write-answer.ts'
import { anyone, type Caller } from '../caller.ts'
import { quoted } from '../quoted.ts'

/** Gives the answer to a request that is not let in, whoever it comes from. */
export type Check = (request: IncomingMessage) => Answer | undefined

/** A request that is not let in. */
export interface Refusal {
  readonly refused: Answer
}

/**
 * Lets a request in on behalf of a caller who has the scope, or refuses it; without a scope anyone is let in. To find out
 * may take time.
 */
export type Gate = (request: IncomingMessage, scope: string | undefined) => Admission | Promise<Admission>

export type Admission = Caller | Refusal

export function isRefused(admission: Admission): admission is Refusal {
  return 'refused' in admission
}

/** A gate that asks nobody who they are. The checks are made in their order; the first refusal counts. */
export function openGate(checks: readonly Check[]): Gate {
  return (request) => refusalBy(checks, request) ?? anyone
}

/** The refusal of the first check that has one. */
export function refusalBy(checks: readonly Check[], request: IncomingMessage): Refusal | undefined {
  for (const check of checks) {
    const refused = check(request)
    if (refused) return { refused }
  }
  return undefined
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
