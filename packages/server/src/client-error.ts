/** Answers what is no HTTP at all, or too much of it, before there is a request. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type AccessEntry, type Problem, problem } from '@nomen/core'

/** Writes the answer by hand, as there is nothing else to write it with, and gives the line for the access log. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): AccessEntry | undefined {
  // A connection that was reset, or that closes without a word, asked for nothing.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy()
    return undefined
  }
  const document = problemOf(error)
  const body = JSON.stringify(document)
  const size = Buffer.byteLength(body)
  socket.end(
    `HTTP/1.1 ${document.status} ${STATUS_CODES[document.status]}\r\n` +
      `Content-Type: application/problem+json; charset=utf-8\r\nContent-Length: ${size}\r\nConnection: close\r\n\r\n${body}`,
  )
  return {
    address: socket.remoteAddress ?? '',
    port: socket.remotePort,
    user: undefined,
    time: Date.now(),
    method: '',
    target: '',
    protocol: '',
    status: document.status,
    size,
    referrer: undefined,
    userAgent: undefined,
  }
}

function problemOf({ code, message }: { readonly code?: string; readonly message: string }): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return problem('header-too-large', {
      detail: 'The request line and the headers are over 16 KiB.',
      hint: 'Shorten the query.',
    })
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return problem('bad-request', { detail: 'The request did not arrive in time.' })
  return problem('bad-request', { detail: `This is no HTTP request: ${message}.` })
}
