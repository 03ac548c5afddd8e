/** Limits the memory of responses that clients do not read, over all connections of one address. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { problem } from '@nomen/core'
import { type Answer, problemAnswer } from '../../message/answer.ts'
import { countedAddress } from '../admit/counted-address.ts'

/** In bytes. The buffers of the system do not count. */
const maxUnread = 64 * 1024 * 1024

/** The connections of one address that have not taken all of a response. */
interface Slow {
  bytes: number
  /** Each with how many bytes it had left when it was last measured. */
  readonly connections: Map<Socket, number>
}

export class UnreadResponses {
  readonly #isExempt: (address: string) => boolean
  readonly #addresses = new Map<string, Slow>()

  /** There is no limit for addresses that are exempt: a proxy has the responses of many clients. */
  constructor(isExempt: (address: string) => boolean) {
    this.#isExempt = isExempt
  }

  /** Counts a response that was written, as long as its connection has not taken all of it. */
  add(response: ServerResponse): void {
    const { socket } = response
    if (!socket || socket.writableLength === 0) return
    const address = addressOf(socket)
    if (this.#isExempt(address)) return
    const slow = this.#addresses.get(address) ?? { bytes: 0, connections: new Map<Socket, number>() }
    this.#addresses.set(address, slow)
    measure(slow, socket, socket.writableLength)
    response.once('close', () => {
      measure(slow, socket, 0)
      slow.connections.delete(socket)
      if (slow.connections.size === 0) this.#addresses.delete(address)
    })
  }

  /** The response to a request of an address that is over the limit. */
  refusal({ socket, url = '' }: IncomingMessage): Answer | undefined {
    // Health probes may come from the same address.
    if (this.#addresses.size === 0 || url.startsWith('/health/')) return undefined
    const slow = this.#addresses.get(addressOf(socket))
    if (!slow || slow.bytes <= maxUnread) return undefined
    for (const connection of slow.connections.keys()) measure(slow, connection, connection.writableLength)
    return slow.bytes > maxUnread ? tooMuch(slow.bytes) : undefined
  }
}

function measure(slow: Slow, connection: Socket, bytes: number): void {
  slow.bytes += bytes - (slow.connections.get(connection) ?? 0)
  slow.connections.set(connection, bytes)
}

function addressOf({ remoteAddress = '' }: Socket): string {
  return countedAddress(remoteAddress)
}

function tooMuch(bytes: number): Answer {
  const document = problem('overloaded', {
    detail: `Your address has ${bytes} bytes of other responses to read, and at most ${maxUnread} are kept.`,
    hint: 'Read those responses, or close their connections, and try again.',
  })
  return problemAnswer(document, { 'retry-after': '1' })
}
