/** Rejects messages whose framing or host a proxy could interpret differently (request smuggling). */
import type { IncomingMessage } from 'node:http'
import { type Problem, problem } from '@nomen/core'
import { quoted } from '../../foundation/quoted.ts'
import { problemResponse, type TextResponse } from '../../message/text-response.ts'

/** The response to a message that is rejected for every path. Its connection must be closed afterwards. */
export function messageRejection({ httpVersion, headers, rawHeaders }: IncomingMessage): TextResponse | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return problemResponse(unsupportedVersion(`HTTP/${httpVersion}`))
  const coding = headers['transfer-encoding']
  if (coding !== undefined) {
    if (httpVersion === '1.0') return problemResponse(chunkedInOldVersion)
    if (coding.toLowerCase() !== 'chunked') return problemResponse(unsupportedCoding(coding))
  }
  return hasTwoHosts(rawHeaders) ? problemResponse(twoHosts) : undefined
}

/** Node uses the first Host header, and a proxy may use another one (RFC 9112, 3.2). */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count > 1
}

export function unsupportedVersion(version: string): Problem {
  return problem('unsupported-http-version', { detail: `${version} is not supported.`, hint: 'Use HTTP/1.1.' })
}

function unsupportedCoding(coding: string): Problem {
  const detail = `The Transfer-Encoding ${quoted(coding)} is not supported.`
  return problem('unsupported-transfer-encoding', {
    detail,
    hint: 'Use Transfer-Encoding: chunked, or send a Content-Length.',
  })
}

const chunkedInOldVersion = problem('bad-request', {
  detail: 'HTTP/1.0 does not support Transfer-Encoding.',
  hint: 'Use HTTP/1.1, or send a Content-Length.',
})

const twoHosts = problem('bad-request', {
  detail: 'The request has several Host headers.',
  hint: 'Send one Host header.',
})
