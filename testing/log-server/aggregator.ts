/** A log server on a free port for any protocol. It can be down, slow, busy, or cut connections. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'

/** A request to a log protocol. */
export interface LogRequest {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A log protocol: its reply to a request, and the accepted lines. */
export interface Protocol {
  readonly scheme: string
  readonly path: string
  accept(logRequest: LogRequest): { readonly reply: Reply; readonly lines: readonly string[] }
}

/** The fault of the next request; without one, it is handled normally. */
export type Fault =
  | { readonly kind: 'answer'; readonly reply: Reply }
  /** The connection is reset before anything is accepted. */
  | { readonly kind: 'cut' }
  /** Everything is accepted, and the connection is reset before the response. */
  | { readonly kind: 'cut after' }
  | { readonly kind: 'slow'; readonly time: number }

export interface Aggregator {
  readonly to: string
  /** Every accepted line, in the order of arrival, including duplicates. */
  readonly lines: string[]
  /** Each request that violates the protocol. */
  readonly violations: string[]
  readonly requests: LogRequest[]
  readonly faults: Fault[]
  /** Ends all connections and stops listening. */
  stopListening(): Promise<void>
  resumeListening(): Promise<void>
}

/** Thrown if a request violates the protocol. */
class Violation extends Error {}

/** Serves until `stopListening`. */
export async function startAggregator(protocol: Protocol): Promise<Aggregator> {
  const lines: string[] = []
  const violations: string[] = []
  const requests: LogRequest[] = []
  const faults: Fault[] = []
  const sockets = new Set<Socket>()
  let server: Server | undefined

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const fault = faults.shift()
    if (fault?.kind === 'cut') return request.socket.resetAndDestroy()
    if (fault?.kind === 'slow') await pause(fault.time)
    const logRequest = await readRequest(request)
    requests.push(logRequest)
    if (fault?.kind === 'answer') return send(response, fault.reply)
    try {
      const accepted = protocol.accept(logRequest)
      lines.push(...accepted.lines)
      if (fault?.kind === 'cut after') return request.socket.resetAndDestroy()
      send(response, accepted.reply)
    } catch (error) {
      violations.push(`${(error as Error).message}`)
      send(response, { status: 400, body: `${(error as Error).message}` })
    }
  }

  const listen = async (port: number) => {
    server = createServer((request, response) => {
      respond(request, response).catch(() => request.socket.destroy())
    })
    server.on('connection', (socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  }
  const stopListening = async () => {
    if (!server) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.resetAndDestroy()
    server = undefined
    await closed
  }
  const port = await listen(0)
  return {
    to: `${protocol.scheme}://127.0.0.1:${port}${protocol.path}`,
    lines,
    violations,
    requests,
    faults,
    stopListening,
    resumeListening: async () => void (server ?? (await listen(port))),
  }
}

async function readRequest(request: IncomingMessage): Promise<LogRequest> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  const bytes = Buffer.concat(parts)
  const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
  return {
    method: request.method ?? '',
    url: new URL(request.url ?? '', 'http://localhost'),
    headers: request.headers,
    body: body.toString('utf8'),
  }
}

function send(response: ServerResponse, { status, headers = {}, body = '' }: Reply): void {
  response.writeHead(status, headers).end(body)
}

/** Throws a violation if the condition is false. */
export function expectValid(isTrue: boolean, message: string): asserts isTrue {
  if (!isTrue) throw new Violation(message)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
