/** Sends raw bytes to a service, and reads the responses. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectSecurely } from 'node:tls'
import { type SendMode, type WireRequest, wireBytes } from './wire-request.ts'
import { readResponse, WireError, type WireResponse, withoutInterim } from './wire-response.ts'

export interface Exchange {
  readonly request: WireRequest
  readonly responses: readonly WireResponse[]
  /** The local port. */
  readonly port: number
  /** Why responses are missing or invalid. */
  readonly silence?: string
}

/** The pause between pieces of a slow request, and before an abort, in milliseconds. */
const pauseMs = 4

export class Wire {
  readonly #base: URL
  readonly #timeoutMs: number
  #idle: Socket | undefined

  constructor(base: string, timeoutMs: number) {
    this.#base = new URL(base)
    this.#timeoutMs = timeoutMs
  }

  async send(request: WireRequest): Promise<Exchange> {
    const isReused = request.mode === 'plain' && this.#idle !== undefined
    const first = await this.#exchange(request)
    // The service may have closed the idle connection.
    if (isReused && first.responses.length === 0 && first.silence === closedEarly) return this.#exchange(request)
    return first
  }

  close(): void {
    this.#idle?.destroy()
    this.#idle = undefined
  }

  async #exchange(request: WireRequest): Promise<Exchange> {
    const { mode: manner } = request
    const isShared = manner === 'plain' || manner === 'slow'
    let socket: Socket
    try {
      socket = (isShared && this.#idle) || (await this.#connect())
    } catch (error) {
      return { request, responses: [], port: 0, silence: `the service accepts no connection: ${reason(error)}` }
    }
    if (isShared) this.#idle = undefined
    const port = socket.localPort ?? 0
    const hearing = listenForResponses(socket, request, this.#timeoutMs)
    await this.#write(socket, request)
    const { responses, silence } = await hearing
    const isClosing = silence !== undefined || responses.at(-1)?.headers.get('connection') === 'close'
    if (isShared && !isClosing && !socket.destroyed && !this.#idle) this.#idle = socket
    else socket.destroy()
    return { request, responses, port, ...(silence !== undefined && { silence }) }
  }

  async #connect(): Promise<Socket> {
    const { protocol, hostname, port } = this.#base
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    const isSecure = protocol === 'https:'
    const at = { host, port: Number(port) || (isSecure ? 443 : 80), allowHalfOpen: true, noDelay: true }
    const socket: Socket = isSecure ? connectSecurely({ ...at, servername: host }) : connect(at)
    await once(socket, isSecure ? 'secureConnect' : 'connect')
    socket.on('error', () => undefined)
    return socket
  }

  async #write(socket: Socket, request: WireRequest): Promise<void> {
    const bytes = wireBytes(request)
    switch (request.mode) {
      case 'plain':
      case 'own':
        socket.write(bytes)
        return
      case 'cut':
        socket.end(bytes)
        return
      case 'twice':
        socket.write(Buffer.concat([bytes, bytes]))
        return
      case 'slow':
        for (const part of splitInThree(bytes)) {
          socket.write(part)
          await pause(pauseMs)
        }
        return
      case 'left':
        socket.write(bytes.subarray(0, Math.ceil(bytes.length / 2)))
        await pause(pauseMs)
        socket.resetAndDestroy()
    }
  }
}

function splitInThree(bytes: Buffer): Buffer[] {
  const third = Math.ceil(bytes.length / 3)
  return [bytes.subarray(0, third), bytes.subarray(third, 2 * third), bytes.subarray(2 * third)]
}

/** The reason for a missing response. */
export const closedEarly = 'the connection was closed without a response'

/** Reads until all responses are complete, the service closes the connection, or the time is over. */
function listenForResponses(
  socket: Socket,
  request: WireRequest,
  timeoutMs: number,
): Promise<{ responses: readonly WireResponse[]; silence?: string }> {
  const responseCounts: Partial<Record<SendMode, number>> = { plain: 1, slow: 1, twice: 2 }
  const count = responseCounts[request.mode] ?? Number.POSITIVE_INFINITY
  const isBare = request.method === 'HEAD' && !request.bytes
  const responses: WireResponse[] = []
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0)
    const done = (silence?: string) => {
      clearTimeout(timer)
      socket.off('data', take).off('end', over).off('close', over)
      resolve({ responses, ...(silence !== undefined && { silence }) })
    }
    const read = (isOver: boolean) => {
      bytes = withoutInterim(bytes)
      for (;;) {
        const response = readResponse(bytes, isBare, isOver)
        if (!response) return
        responses.push(response.response)
        bytes = bytes.subarray(response.end)
      }
    }
    const attempt = (isOver: boolean) => {
      try {
        read(isOver)
        // A server that cannot parse the request does not know that it is HEAD, and sends a body.
        if (isBare && responses.at(-1)?.headers.get('connection') === 'close') bytes = Buffer.alloc(0)
        // On a separate connection, read everything that follows.
        if (request.mode === 'own' && responses.length > 0) socket.end()
        if (responses.length >= count) done(bytes.length > 0 ? `${bytes.length} bytes after the response` : undefined)
        else if (isOver) done(shortage(responses, bytes.length, count))
      } catch (error) {
        if (!(error instanceof WireError)) throw error
        done(`the response is not valid HTTP: ${error.message}`)
      }
    }
    const take = (part: Buffer) => {
      bytes = bytes.length === 0 ? part : Buffer.concat([bytes, part])
      attempt(false)
    }
    const over = () => attempt(true)
    const timer = setTimeout(() => done(`no complete response within ${timeoutMs / 1000} s`), timeoutMs)
    socket.on('data', take).on('end', over).on('close', over)
  })
}

/** The missing part when the service has closed the connection. */
function shortage(responses: readonly WireResponse[], left: number, count: number): string | undefined {
  if (left > 0) return 'the response is incomplete'
  if (responses.length === 0) return closedEarly
  const isAnnounced = responses.at(-1)?.headers.get('connection') === 'close'
  return Number.isFinite(count) && !isAnnounced ? `${responses.length} responses for ${count} requests` : undefined
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message || error.name : `${error}`
}
