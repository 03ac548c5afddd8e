/** A line to a service on which bytes are sent as they are, and on which answers must come. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectSecurely } from 'node:tls'
import { readAnswer, type WireAnswer, WireError, withoutInterim } from './wire-answer.ts'
import { type Manner, type WireRequest, wireBytes } from './wire-request.ts'

export interface Exchange {
  readonly request: WireRequest
  readonly answers: readonly WireAnswer[]
  /** The port on this side. */
  readonly port: number
  /** Why there are fewer answers than requests, or none that can be read. */
  readonly silence?: string
}

/** Between the pieces of a request that is sent slowly, and before one is left, in milliseconds. */
const beat = 4

export class Wire {
  readonly #base: URL
  readonly #timeout: number
  #kept: Socket | undefined

  constructor(base: string, timeout: number) {
    this.#base = new URL(base)
    this.#timeout = timeout
  }

  async send(request: WireRequest): Promise<Exchange> {
    const isKept = request.manner === 'plain' && this.#kept !== undefined
    const first = await this.#exchange(request)
    // a connection that was kept may have been closed just before
    if (isKept && first.answers.length === 0 && first.silence === closedEarly) return this.#exchange(request)
    return first
  }

  close(): void {
    this.#kept?.destroy()
    this.#kept = undefined
  }

  async #exchange(request: WireRequest): Promise<Exchange> {
    const { manner } = request
    const isShared = manner === 'plain' || manner === 'slow'
    let socket: Socket
    try {
      socket = (isShared && this.#kept) || (await this.#connect())
    } catch (error) {
      return { request, answers: [], port: 0, silence: `it takes no connection: ${reason(error)}` }
    }
    if (isShared) this.#kept = undefined
    const port = socket.localPort ?? 0
    const hearing = hear(socket, request, this.#timeout)
    await this.#write(socket, request)
    const { answers, silence } = await hearing
    const isClosing = silence !== undefined || answers.at(-1)?.headers.get('connection') === 'close'
    if (isShared && !isClosing && !socket.destroyed && !this.#kept) this.#kept = socket
    else socket.destroy()
    return { request, answers, port, ...(silence !== undefined && { silence }) }
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
    switch (request.manner) {
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
        for (const part of inThree(bytes)) {
          socket.write(part)
          await pause(beat)
        }
        return
      case 'left':
        socket.write(bytes.subarray(0, Math.ceil(bytes.length / 2)))
        await pause(beat)
        socket.resetAndDestroy()
    }
  }
}

function inThree(bytes: Buffer): Buffer[] {
  const third = Math.ceil(bytes.length / 3)
  return [bytes.subarray(0, third), bytes.subarray(third, 2 * third), bytes.subarray(2 * third)]
}

/** Why there is none. */
export const closedEarly = 'the connection was closed without an answer'

/** Listens until all answers are there, the other side is done, or the time is over. */
function hear(
  socket: Socket,
  request: WireRequest,
  timeout: number,
): Promise<{ answers: readonly WireAnswer[]; silence?: string }> {
  const wanted: Partial<Record<Manner, number>> = { plain: 1, slow: 1, twice: 2 }
  const count = wanted[request.manner] ?? Number.POSITIVE_INFINITY
  const isBare = request.method === 'HEAD' && !request.bytes
  const answers: WireAnswer[] = []
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0)
    const done = (silence?: string) => {
      clearTimeout(timer)
      socket.off('data', take).off('end', over).off('close', over)
      resolve({ answers, ...(silence !== undefined && { silence }) })
    }
    const read = (isOver: boolean) => {
      bytes = withoutInterim(bytes)
      for (;;) {
        const found = readAnswer(bytes, isBare, isOver)
        if (!found) return
        answers.push(found.answer)
        bytes = bytes.subarray(found.end)
      }
    }
    const attempt = (isOver: boolean) => {
      try {
        read(isOver)
        // who cannot read the request does not know that it is HEAD, and says more than HEAD wants to hear
        if (isBare && answers.at(-1)?.headers.get('connection') === 'close') bytes = Buffer.alloc(0)
        // what follows on a connection of its own is heard to the end
        if (request.manner === 'own' && answers.length > 0) socket.end()
        if (answers.length >= count) done(bytes.length > 0 ? `${bytes.length} bytes came after the answer` : undefined)
        else if (isOver) done(shortage(answers, bytes.length, count))
      } catch (error) {
        if (!(error instanceof WireError)) throw error
        done(`what came is no HTTP: ${error.message}`)
      }
    }
    const take = (part: Buffer) => {
      bytes = bytes.length === 0 ? part : Buffer.concat([bytes, part])
      attempt(false)
    }
    const over = () => attempt(true)
    const timer = setTimeout(() => done(`no whole answer within ${timeout / 1000} s`), timeout)
    socket.on('data', take).on('end', over).on('close', over)
  })
}

/** What is missing when the other side is done. */
function shortage(answers: readonly WireAnswer[], left: number, count: number): string | undefined {
  if (left > 0) return 'the answer broke off'
  if (answers.length === 0) return closedEarly
  const isAnnounced = answers.at(-1)?.headers.get('connection') === 'close'
  return Number.isFinite(count) && !isAnnounced ? `${answers.length} of ${count} requests were answered` : undefined
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message || error.name : `${error}`
}
