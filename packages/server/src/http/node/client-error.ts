/** Responses to input that never becomes a request: malformed HTTP, headers that are too large, CONNECT. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type AccessEntry, type Problem, problem } from '@nomen/core'
import { quoted } from '../../foundation/quoted.ts'
import { problemMediaType } from '../../message/text-response.ts'
import { redacted } from '../redact.ts'
import { unsupportedVersion } from './message-check.ts'

/** Replaces the `type` of a problem document. */
type WithTypes = (json: string) => string

/** Responds to an error of the HTTP parser, and returns the entry for the access log. */
export function respondToClientError(
  error: Error & { readonly code?: string },
  socket: Socket,
  withTypes: WithTypes,
): AccessEntry | undefined {
  // A connection that was reset, or that closes without data, made no request.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy()
    return undefined
  }
  return writeProblem(socket, problemOf(error), { method: '', target: '', protocol: '' }, withTypes)
}

/** Responds to CONNECT, which Node passes on as a bare connection. */
export function respondToConnect(
  { method = '', url = '', httpVersion }: IncomingMessage,
  socket: Socket,
  withTypes: WithTypes,
): AccessEntry {
  const document = problem('unknown-method', { detail: `Method ${quoted(method)} is not supported.` })
  return writeProblem(socket, document, { method, target: redacted(url), protocol: `HTTP/${httpVersion}` }, withTypes)
}

// With an import statement, Node would load its HTTP client as well.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

type RequestLine = Pick<AccessEntry, 'method' | 'target' | 'protocol'>

/** Writes the response to the socket, because there is no ServerResponse. */
function writeProblem(socket: Socket, document: Problem, line: RequestLine, withTypes: WithTypes): AccessEntry {
  const body = withTypes(JSON.stringify(document))
  const size = Buffer.byteLength(body)
  const headLines = [
    `HTTP/1.1 ${document.status} ${STATUS_CODES[document.status]}`,
    `content-type: ${problemMediaType}`,
    `content-length: ${size}`,
    `x-request-id: ${randomUUID()}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'connection: close',
  ]
  socket.end(`${headLines.join('\r\n')}\r\n\r\n${body}`)
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
      detail: 'The request line and the headers exceed 16 KiB.',
      hint: 'Shorten the URL, or send fewer headers.',
    })
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return problem('request-timeout', {
      detail: 'The request did not arrive in time.',
      hint: 'Check the connection, or send a smaller request.',
    })
  if (code === 'HPE_INVALID_VERSION') return unsupportedVersion('The HTTP version of the request')
  return problem('bad-request', { detail: `The request is not valid HTTP: ${message}.` })
}
