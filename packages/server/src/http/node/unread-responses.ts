/** Limits the memory of responses that clients do not read, over all connections of one address. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { problem } from '@nomen/core'
import { problemResponse, type TextResponse } from '../../message/text-response.ts'
import { countedAddress } from '../admit/counted-address.ts'

/** The limit for one address. The buffers of the operating system do not count. */
const maxUnreadBytes = 64 * 1024 * 1024

/** The connections of one address that have unread responses. */
interface SlowAddress {
  bytes: number
  /** The unread bytes of each connection when it was last measured. */
  readonly connections: Map<Socket, number>
}

export class UnreadResponses {
  readonly #isExempt: (address: string) => boolean
  readonly #addresses = new Map<string, SlowAddress>()

  /** Exempt addresses have no limit, such as a proxy, which has the responses of many clients. */
  constructor(isExempt: (address: string) => boolean) {
    this.#isExempt = isExempt
  }

  /** Counts a written response until its connection has taken all of it. */
  add(response: ServerResponse): void {
    const { socket } = response
    if (!socket || socket.writableLength === 0) return
    const address = addressOf(socket)
    if (this.#isExempt(address)) return
    const slowAddress = this.#addresses.get(address) ?? { bytes: 0, connections: new Map<Socket, number>() }
    this.#addresses.set(address, slowAddress)
    updateBytes(slowAddress, socket, socket.writableLength)
    response.once('close', () => {
      updateBytes(slowAddress, socket, 0)
      slowAddress.connections.delete(socket)
      if (slowAddress.connections.size === 0) this.#addresses.delete(address)
    })
  }

  /** The response to a request of an address that is over the limit. */
  rejection({ socket, url = '' }: IncomingMessage): TextResponse | undefined {
    // Health probes may come from the same address.
    if (this.#addresses.size === 0 || url.startsWith('/health/')) return undefined
    const slowAddress = this.#addresses.get(addressOf(socket))
    if (!slowAddress || slowAddress.bytes <= maxUnreadBytes) return undefined
    for (const connection of slowAddress.connections.keys())
      updateBytes(slowAddress, connection, connection.writableLength)
    return slowAddress.bytes > maxUnreadBytes ? tooManyUnreadBytes(slowAddress.bytes) : undefined
  }
}

function updateBytes(slowAddress: SlowAddress, connection: Socket, bytes: number): void {
  slowAddress.bytes += bytes - (slowAddress.connections.get(connection) ?? 0)
  slowAddress.connections.set(connection, bytes)
}

function addressOf({ remoteAddress = '' }: Socket): string {
  return countedAddress(remoteAddress)
}

function tooManyUnreadBytes(bytes: number): TextResponse {
  const document = problem('overloaded', {
    detail: `Connections from your IP address have ${bytes} bytes of unread responses; the limit is ${maxUnreadBytes}.`,
    hint: 'Read those responses, or close their connections, and try again.',
  })
  return problemResponse(document, { 'retry-after': '1' })
}
