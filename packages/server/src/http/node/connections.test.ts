import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Connections } from './connections.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => vi.useRealTimers())

/** A server that answers at once, and a client of it. */
async function connected(busy = new Set<Socket>()) {
  const server = createServer((_, response) => response.end('here'))
  new Connections(server, () => busy)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const accepted = once(server, 'connection')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [socket] = (await accepted) as [Socket]
  const send = async () => {
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(client, 'data')
  }
  return { client, socket, send }
}

describe('a connection', () => {
  it('is closed when nothing has come for more than a minute', async () => {
    const { client, socket, send } = await connected()
    await send()
    const closed = once(client, 'close')
    vi.advanceTimersByTime(60_000)
    expect(socket.destroyed).toBe(false)
    vi.advanceTimersByTime(30_000)
    client.resume()
    await closed
  })

  it('stays as long as requests come now and then', async () => {
    const { socket, send } = await connected()
    for (let minute = 0; minute < 5; minute++) {
      await send()
      vi.advanceTimersByTime(60_000)
    }
    expect(socket.writable).toBe(true)
    await send()
  })

  it('stays while a request is under way on it', async () => {
    const busy = new Set<Socket>()
    const { socket, send } = await connected(busy)
    busy.add(socket)
    vi.advanceTimersByTime(600_000)
    expect(socket.writable).toBe(true)
    await send()
  })
})
