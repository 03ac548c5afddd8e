/** Refuses messages whose framing or host a proxy could understand in another way than the service. */
import type { IncomingMessage } from 'node:http'
import { type Problem, problem } from '@nomen/core'
import { quoted } from '../../foundation/quoted.ts'
import { type Answer, problemAnswer } from '../../message/answer.ts'

/** Gives the answer to a request that is not served, whatever it is for. The connection is to be closed behind it. */
export function messageRefusal({ httpVersion, headers, rawHeaders }: IncomingMessage): Answer | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return problemAnswer(unsupportedVersion(`HTTP/${httpVersion}`))
  const coding = headers['transfer-encoding']
  if (coding !== undefined) {
    if (httpVersion === '1.0') return problemAnswer(chunkedTooEarly)
    if (coding.toLowerCase() !== 'chunked') return problemAnswer(unsupportedCoding(coding))
  }
  return hasTwoHosts(rawHeaders) ? problemAnswer(twoHosts) : undefined
}

/** Node shows the first of several, and a proxy may go by another (RFC 9112, 3.2). */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let number = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') number++
  }
  return number > 1
}

export function unsupportedVersion(version: string): Problem {
  const detail = `The request is of ${version}, which is not served.`
  return problem('unsupported-http-version', { detail, hint: 'Use HTTP/1.1.' })
}

function unsupportedCoding(coding: string): Problem {
  const detail = `The Transfer-Encoding ${quoted(coding)} is not known.`
  return problem('unsupported-transfer-encoding', { detail, hint: 'Send chunked, or a Content-Length.' })
}

const chunkedTooEarly = problem('bad-request', {
  detail: 'The request is of HTTP/1.0 and has a Transfer-Encoding.',
  hint: 'Use HTTP/1.1, or send a Content-Length.',
})

const twoHosts = problem('bad-request', { detail: 'The request has several Host headers.', hint: 'Send one.' })
