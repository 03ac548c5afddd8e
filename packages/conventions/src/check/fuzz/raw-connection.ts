/** Sends raw bytes to a service, and reads the responses. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectSecurely, TLSSocket } from 'node:tls'
import { type SendMode, type WireRequest, wireBytes } from './wire-request.ts'
import { closesConnection, readResponse, WireError, type WireResponse, withoutInterim } from './wire-response.ts'

export interface Exchange {
  readonly request: WireRequest
  readonly responses: readonly WireResponse[]
  /** The local port. */
  readonly port: number
  /** Why responses are missing or invalid. */
  readonly failure?: string
}

/** The pause between pieces of a slow request, and before an abort, in milliseconds. */
const pauseMs = 4

export class RawConnection {
  readonly #base: URL
  readonly #timeoutMs: number
  #idleSocket: Socket | undefined

  constructor(base: string, timeoutMs: number) {
    this.#base = new URL(base)
    this.#timeoutMs = timeoutMs
  }

  async send(request: WireRequest): Promise<Exchange> {
    const isReused = isShared(request) && this.#idleSocket !== undefined
    const first = await this.#exchange(request)
    // The service may have closed the idle connection.
    if (isReused && first.responses.length === 0 && first.failure === closedEarly) return this.#exchange(request)
    return first
  }

  close(): void {
    this.#idleSocket?.destroy()
    this.#idleSocket = undefined
  }

  async #exchange(request: WireRequest): Promise<Exchange> {
    const canShare = isShared(request)
    let socket: Socket
    try {
      socket = (canShare && this.#idleSocket) || (await this.#connect())
    } catch (error) {
      return { request, responses: [], port: 0, failure: `the service accepts no connection: ${reason(error)}` }
    }
    if (canShare) this.#idleSocket = undefined
    const port = socket.localPort ?? 0
    const pendingResponses = listenForResponses(socket, request, this.#timeoutMs)
    await this.#write(socket, request)
    const { responses, failure } = await pendingResponses
    const isClosing = failure !== undefined || closesConnection(responses.at(-1))
    if (canShare && !isClosing && !socket.destroyed && !this.#idleSocket) this.#idleSocket = socket
    else socket.destroy()
    return { request, responses, port, ...(failure !== undefined && { failure }) }
  }

  async #connect(): Promise<Socket> {
    const { protocol, hostname, port } = this.#base
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    const isSecure = protocol === 'https:'
    const address = { host, port: Number(port) || (isSecure ? 443 : 80), allowHalfOpen: true, noDelay: true }
    const socket: Socket = isSecure ? connectSecurely({ ...address, servername: host }) : connect(address)
    socket.on('error', () => undefined)
    const timeout = AbortSignal.timeout(this.#timeoutMs)
    try {
      await once(socket, isSecure ? 'secureConnect' : 'connect', { signal: timeout })
    } catch (error) {
      socket.destroy()
      throw timeout.aborted ? new Error(`no connection within ${this.#timeoutMs / 1000} s`) : error
    }
    return socket
  }

  async #write(socket: Socket, request: WireRequest): Promise<void> {
    const bytes = wireBytes(request)
    switch (request.mode) {
      case 'plain':
      case 'separate':
        socket.write(bytes)
        return
      case 'half-closed':
        socket.end(bytes)
        return
      case 'twice':
        socket.write(Buffer.concat([bytes, bytes]))
        return
      case 'slow':
        for (const chunk of splitInThree(bytes)) {
          socket.write(chunk)
          await pause(pauseMs)
        }
        return
      case 'aborted':
        socket.write(bytes.subarray(0, Math.ceil(bytes.length / 2)))
        await pause(pauseMs)
        // Node.js cannot reset a TLS connection.
        if (socket instanceof TLSSocket) socket.destroy()
        else socket.resetAndDestroy()
    }
  }
}

/** Whether the request may use a connection that was used before. */
function isShared({ mode }: WireRequest): boolean {
  return mode === 'plain' || mode === 'slow'
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
): Promise<{ responses: readonly WireResponse[]; failure?: string }> {
  const responseCounts: Partial<Record<SendMode, number>> = { plain: 1, slow: 1, twice: 2 }
  const count = responseCounts[request.mode] ?? Number.POSITIVE_INFINITY
  const hasNoBody = request.method === 'HEAD' && !request.bytes
  const responses: WireResponse[] = []
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0)
    const finish = (failure?: string) => {
      clearTimeout(timer)
      socket.off('data', onData).off('end', onEnd).off('close', onEnd)
      resolve({ responses, ...(failure !== undefined && { failure }) })
    }
    const read = (isClosed: boolean) => {
      for (;;) {
        bytes = withoutInterim(bytes)
        const response = readResponse(bytes, hasNoBody, isClosed)
        if (!response) return
        responses.push(response.response)
        bytes = bytes.subarray(response.end)
      }
    }
    const readResponses = (isClosed: boolean) => {
      try {
        read(isClosed)
        // A server that cannot parse the request does not know that it is HEAD, and sends a body.
        if (hasNoBody && closesConnection(responses.at(-1))) bytes = Buffer.alloc(0)
        // On a separate connection, read everything that follows.
        if (request.mode === 'separate' && responses.length > 0) socket.end()
        if (responses.length >= count) finish(bytes.length > 0 ? `${bytes.length} bytes after the response` : undefined)
        else if (isClosed) finish(missingPart(responses, bytes.length, count))
      } catch (error) {
        if (!(error instanceof WireError)) throw error
        finish(`the response is not valid HTTP: ${error.message}`)
      }
    }
    const onData = (chunk: Buffer) => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
      readResponses(false)
    }
    const onEnd = () => readResponses(true)
    const timer = setTimeout(() => finish(`no complete response within ${timeoutMs / 1000} s`), timeoutMs)
    socket.on('data', onData).on('end', onEnd).on('close', onEnd)
  })
}

/** The missing part when the service has closed the connection. */
function missingPart(responses: readonly WireResponse[], remainingBytes: number, count: number): string | undefined {
  if (remainingBytes > 0) return 'the response is incomplete'
  if (responses.length === 0) return closedEarly
  const isCloseAnnounced = closesConnection(responses.at(-1))
  return Number.isFinite(count) && !isCloseAnnounced ? `${responses.length} responses for ${count} requests` : undefined
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message || error.name : `${error}`
}
