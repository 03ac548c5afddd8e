/** A TCP proxy that can cut connections, delay data, drop it, or connect to another server. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface FaultyProxy {
  /** The URL of the server through the proxy. */
  readonly url: string
  /** Breaks all connections; new ones work normally. */
  cut(): void
  /** Drops all data, until `cut`. */
  dropData(): void
  /** Drops the data of the connections that exist now, as a firewall does that has forgotten them. New ones work. */
  dropConnections(): void
  /** Connects to another server from now on. Existing connections stay as they are. */
  switchTo(url: string): void
  /** Delays data in each direction. */
  delay(milliseconds: number): void
  close(): void
}

export async function startProxy(url: string): Promise<FaultyProxy> {
  let target = new URL(url)
  const open = new Set<Socket>()
  const dropped = new WeakSet<Socket>()
  let isDropping = false
  let delayMs = 0
  const server = createServer((clientSocket) => {
    const serverSocket = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [clientSocket, serverSocket],
      [serverSocket, clientSocket],
    ] as const) {
      open.add(from)
      from.on('error', () => {})
      from.on('close', () => open.delete(from))
      from.on('data', (data) => {
        if (isDropping || dropped.has(from)) return
        if (delayMs === 0) to.write(data)
        else setTimeout(() => to.write(data), delayMs)
      })
      from.on('end', () => to.end())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    isDropping = false
    for (const socket of open) socket.destroy()
  }
  const proxyUrl = new URL(url)
  proxyUrl.port = `${(server.address() as AddressInfo).port}`
  return {
    url: proxyUrl.href,
    cut,
    dropData: () => {
      isDropping = true
    },
    dropConnections: () => {
      for (const socket of open) dropped.add(socket)
    },
    switchTo: (other) => {
      target = new URL(other)
    },
    delay: (milliseconds) => {
      delayMs = milliseconds
    },
    close: () => {
      cut()
      server.close()
    },
  }
}
