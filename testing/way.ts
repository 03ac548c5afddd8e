/** A way to a server that can be cut, be slow, or swallow whatever is sent. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Way {
  /** The address of the server by this way. */
  readonly url: string
  /** Breaks all connections; new ones are as usual. */
  cut(): void
  /** Loses all that is sent, until it is cut. */
  swallow(): void
  /** Everything takes so much longer, in each direction, in milliseconds. */
  delay(milliseconds: number): void
  close(): void
}

export async function wayTo(url: string): Promise<Way> {
  const { hostname, port } = new URL(url)
  const open = new Set<Socket>()
  let isSwallowing = false
  let late = 0
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('error', () => {})
      from.on('close', () => open.delete(from))
      from.on('data', (data) => {
        if (isSwallowing) return
        if (late === 0) to.write(data)
        else setTimeout(() => to.write(data), late)
      })
      from.on('end', () => to.end())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    isSwallowing = false
    for (const socket of open) socket.destroy()
  }
  const own = new URL(url)
  own.port = `${(server.address() as AddressInfo).port}`
  return {
    url: own.href,
    cut,
    swallow: () => {
      isSwallowing = true
    },
    delay: (milliseconds) => {
      late = milliseconds
    },
    close: () => {
      cut()
      server.close()
    },
  }
}
