/** Answers what never becomes a request: what is no HTTP, or too much of it, or asks for a tunnel. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type AccessEntry, type Problem, problem } from '@nomen/core'
import { redacted } from '../redact.ts'
import { unsupportedVersion } from './message-check.ts'

/** Answers a fault of the HTTP parser, and gives the entry for the access log. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): AccessEntry | undefined {
  // A connection that was reset, or that closes without a word, asked for nothing.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy()
    return undefined
  }
  return writeProblem(socket, problemOf(error), { method: '', target: '', protocol: '' })
}

/** Answers CONNECT, which Node hands over as a bare connection. */
export function answerConnect({ method = '', url = '', httpVersion }: IncomingMessage, socket: Socket): AccessEntry {
  const document = problem('unknown-method', { detail: `${method} is no method of this service.` })
  return writeProblem(socket, document, { method, target: redacted(url), protocol: `HTTP/${httpVersion}` })
}

// An import would have Node load its HTTP client too, which takes as long as all of the server.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

type RequestLine = Pick<AccessEntry, 'method' | 'target' | 'protocol'>

/** Writes the answer by hand, as there is nothing else to write it with. */
function writeProblem(socket: Socket, document: Problem, line: RequestLine): AccessEntry {
  const body = JSON.stringify(document)
  const size = Buffer.byteLength(body)
  const head = [
    `HTTP/1.1 ${document.status} ${STATUS_CODES[document.status]}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${size}`,
    `x-request-id: ${randomUUID()}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  const { remoteAddress: address = '', remotePort: port } = socket
  const { status } = document
  return {
    address,
    port,
    user: undefined,
    time: Date.now(),
    ...line,
    status,
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
    return problem('request-timeout', {
      detail: 'The request did not arrive in time.',
      hint: 'Send all of it at once, or less.',
    })
  if (code === 'HPE_INVALID_VERSION') return unsupportedVersion('another version of HTTP')
  return problem('bad-request', { detail: `This is no HTTP request: ${message}.` })
}
