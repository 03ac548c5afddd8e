/** The Host header: HTTP/1.1 demands it, and where anyone may call it must name this machine itself. */
import { type Problem, problem } from '@nomen/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { problemAnswer } from '../answer/write-answer.ts'
import { quoted } from '../quoted.ts'
import type { Door } from './door.ts'

/** The hook that refuses requests without a Host header, and those for other machines where only this one is served. */
export function checkHost(isLocalOnly: boolean, door: Door) {
  // Clients go on naming the same host: the last good one need not be judged again.
  let known: string | undefined
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const { host } = request.headers
    const isKnown = host !== undefined && host === known
    const refused = isKnown ? undefined : hostProblem(request, isLocalOnly)
    if (refused) door.send(request, reply, problemAnswer(refused))
    else {
      known = host
      done()
    }
  }
}

function hostProblem({ headers, hostname, raw }: FastifyRequest, isLocalOnly: boolean): Problem | undefined {
  if (headers.host === undefined) {
    const parts = { detail: 'The request has no Host header.', hint: 'Name the host, as HTTP/1.1 demands.' }
    return raw.httpVersion === '1.0' ? undefined : problem('bad-request', parts)
  }
  if (!isLocalOnly || isLoopback(hostname)) return undefined
  // A page on another site may point a name of its own at this machine; its requests then name that host.
  const detail = `The request is for ${quoted(headers.host)}, and only this machine itself is served.`
  return problem('foreign-host', { detail, hint: 'Use localhost or 127.0.0.1 as the host.' })
}

/** Whether a host name or address is that of the machine itself. */
export function isLoopback(host: string): boolean {
  return /^(localhost|(.+\.)?localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
}
