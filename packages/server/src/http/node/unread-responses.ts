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

/** Gives the answer to a request of an address that is over the limit. The response to any other is counted from now on. */
export type UnreadCheck = (request: IncomingMessage, response: ServerResponse) => Answer | undefined

/** There is no limit for addresses that are exempt: a proxy has the responses of many clients. */
export function unreadCheck(isExempt: (address: string) => boolean): UnreadCheck {
  const addresses = new Map<string, Slow>()

  /** A response has been written; most connections take all of it at once. */
  function count(this: ServerResponse): void {
    const { socket } = this
    if (!socket || socket.writableLength === 0) return
    const address = addressOf(socket)
    if (isExempt(address)) return
    const slow = addresses.get(address) ?? { bytes: 0, connections: new Map<Socket, number>() }
    addresses.set(address, slow)
    measure(slow, socket, socket.writableLength)
    this.once('close', () => {
      measure(slow, socket, 0)
      slow.connections.delete(socket)
      if (slow.connections.size === 0) addresses.delete(address)
    })
  }

  return ({ socket, url = '' }, response) => {
    response.on('prefinish', count)
    // Health probes may come from the same address.
    if (addresses.size === 0 || url.startsWith('/health/')) return undefined
    const slow = addresses.get(addressOf(socket))
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
