/** A server on a free port that takes logs by some protocol, and can be away, slow, busy or cut off. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'

/** A request as a protocol sees it. */
export interface Posted {
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

/** What a protocol makes of a request: the reply, and the lines that it takes. */
export interface Protocol {
  readonly scheme: string
  readonly path: string
  take(posted: Posted): { readonly reply: Reply; readonly lines: readonly string[] }
}

/** What becomes of the next request: nothing unusual where there is none. */
export type Fault =
  | { readonly kind: 'answer'; readonly reply: Reply }
  /** The connection is reset before anything is taken. */
  | { readonly kind: 'cut' }
  /** Everything is taken, and the connection is reset before the answer. */
  | { readonly kind: 'cut after' }
  | { readonly kind: 'slow'; readonly time: number }

export interface Aggregator {
  readonly to: string
  /** Every line taken, in the order of arrival, as often as it came. */
  readonly lines: string[]
  /** Each request that was not as the protocol says. */
  readonly violations: string[]
  readonly requests: Posted[]
  readonly faults: Fault[]
  /** Ends all connections and listens no more. */
  leave(): Promise<void>
  comeBack(): Promise<void>
}

/** Thrown by a protocol for what its server would refuse as no request of its kind. */
class Violation extends Error {}

/** Serves until it leaves. */
export async function startAggregator(protocol: Protocol): Promise<Aggregator> {
  const lines: string[] = []
  const violations: string[] = []
  const requests: Posted[] = []
  const faults: Fault[] = []
  const sockets = new Set<Socket>()
  let server: Server | undefined

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const fault = faults.shift()
    if (fault?.kind === 'cut') return request.socket.resetAndDestroy()
    if (fault?.kind === 'slow') await pause(fault.time)
    const posted = await read(request)
    requests.push(posted)
    if (fault?.kind === 'answer') return send(response, fault.reply)
    try {
      const taken = protocol.take(posted)
      lines.push(...taken.lines)
      if (fault?.kind === 'cut after') return request.socket.resetAndDestroy()
      send(response, taken.reply)
    } catch (error) {
      violations.push(`${(error as Error).message}`)
      send(response, { status: 400, body: `${(error as Error).message}` })
    }
  }

  const listen = async (port: number) => {
    server = createServer((request, response) => {
      answer(request, response).catch(() => request.socket.destroy())
    })
    server.on('connection', (socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  }
  const leave = async () => {
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
    leave,
    comeBack: async () => void (server ?? (await listen(port))),
  }
}

async function read(request: IncomingMessage): Promise<Posted> {
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

/** Throws a violation unless it is so. */
export function demand(isSo: boolean, what: string): asserts isSo {
  if (!isSo) throw new Violation(what)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
