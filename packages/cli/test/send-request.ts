/** Sends HTTP requests, and raw bytes. */
import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The body, sent as JSON unless it is a string. */
  readonly body?: unknown
  /** The connections to use. @default a new connection */
  readonly agent?: Agent
}

export interface HttpResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  /** Parses the body as JSON. */
  readonly json: () => unknown
  /** The port of the client. */
  readonly port: number
}

/** Sends a request. Rejects if the response is incomplete. */
export function sendRequest(
  url: string,
  { method = 'GET', headers = {}, body, agent }: RequestOptions = {},
): Promise<HttpResponse> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers: { ...type, ...headers }, agent: agent ?? new Agent() })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      const port = response.socket.localPort ?? 0
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        if (!response.complete) return reject(new Error('The response is incomplete.'))
        const bytes = Buffer.concat(parts)
        const { statusCode: status = 0, headers: responseHeaders } = response
        resolve({ status, headers: responseHeaders, bytes, json: () => JSON.parse(bytes.toString()), port })
      })
    })
    outgoing.end(text)
  })
}

/** A single connection that stays open. */
export function keepAliveAgent(): Agent {
  return connections(1)
}

/** A number of connections that stay open. */
export function connections(count: number): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: count })
  onTestFinished(() => agent.destroy())
  return agent
}

export interface Connection {
  readonly socket: Socket
  readonly port: number
  /** Everything received so far. */
  readonly received: () => string
  /** Resolves when the connection is closed, for any reason. */
  readonly closed: Promise<void>
}

/** A raw TCP connection. */
export async function connection(port: number): Promise<Connection> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => {
    socket.destroy()
  })
  const parts: Buffer[] = []
  socket.on('data', (part: Buffer) => parts.push(part))
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
  })
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  return { socket, port: socket.localPort ?? 0, received: () => Buffer.concat(parts).toString(), closed }
}
