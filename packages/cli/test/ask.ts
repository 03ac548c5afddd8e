/** Requests over HTTP, and bytes that are none. */
import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON where it is no text. */
  readonly body?: unknown
  /** The connections to use; one of its own unless given. */
  readonly agent?: Agent
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  /** Only for JSON. */
  readonly json: () => unknown
  /** The client's own port. */
  readonly port: number
}

/** Asks, and fails unless the whole answer comes. */
export function ask(url: string, { method = 'GET', headers = {}, body, agent }: Asked = {}): Promise<Answer> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...type, ...headers }, agent: agent ?? new Agent() })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const port = response.socket.localPort ?? 0
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        if (!response.complete) return reject(new Error('The answer broke off.'))
        const bytes = Buffer.concat(parts)
        const { statusCode: status = 0, headers: given } = response
        resolve({ status, headers: given, bytes, json: () => JSON.parse(bytes.toString()), port })
      })
    })
    sent.end(text)
  })
}

/** A single connection that stays open. */
export function keptConnection(): Agent {
  return connections(1)
}

/** So many connections that stay open. */
export function connections(count: number): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: count })
  onTestFinished(() => agent.destroy())
  return agent
}

export interface Connection {
  readonly socket: Socket
  readonly port: number
  /** Everything that came so far. */
  readonly heard: () => string
  /** Resolves when the other side is done, however it ends. */
  readonly closed: Promise<void>
}

/** A bare connection, on which anything can be written. */
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
  return { socket, port: socket.localPort ?? 0, heard: () => Buffer.concat(parts).toString(), closed }
}
