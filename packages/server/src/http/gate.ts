/** Gates: what every request has to pass, whichever way it comes in. */
import type { IncomingMessage } from 'node:http'
import { type Problem, problem } from '@nomen/core'
import { quoted } from '../quoted.ts'

/** Gives the problem of a request that is not let in. */
export type Gate = (request: IncomingMessage) => Problem | undefined

/** HTTP/1.1 demands a Host header, and where anyone may call it must name this machine itself. */
export function hostGate(isLocalOnly: boolean): Gate {
  // Clients go on naming the same host: the last good one need not be judged again.
  let known: string | undefined
  return (request) => {
    const { host } = request.headers
    if (host !== undefined && host === known) return undefined
    const refused = hostProblem(request, isLocalOnly)
    if (!refused) known = host
    return refused
  }
}

function hostProblem({ headers: { host }, httpVersion }: IncomingMessage, isLocalOnly: boolean): Problem | undefined {
  if (host === undefined) {
    const parts = { detail: 'The request has no Host header.', hint: 'Name the host, as HTTP/1.1 demands.' }
    return httpVersion === '1.0' ? undefined : problem('bad-request', parts)
  }
  const [, name = host] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host) ?? []
  if (!isLocalOnly || isLoopback(name)) return undefined
  // A page on another site may point a name of its own at this machine; its requests then name that host.
  const detail = `The request is for ${quoted(host)}, and only this machine itself is served.`
  return problem('foreign-host', { detail, hint: 'Use localhost or 127.0.0.1 as the host.' })
}

/** Whether a host name or address is that of the machine itself. */
export function isLoopback(host: string): boolean {
  return /^(localhost|(.+\.)?localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
}
