/** A page says 3000; the tests of several pages run at once. Each port that a page names becomes one that is free. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/** Where a page names a port: in an address, a flag, a variable, a call. */
const named = /(?<=(?:127\.0\.0\.1|localhost):|--port[= ]|\bPORT=|\bport: |\blisten\()\d{4,5}\b/g

export class Ports {
  readonly #free: ReadonlyMap<string, string>

  private constructor(free: ReadonlyMap<string, string>) {
    this.#free = free
  }

  /** Those that the page names, and those that servers take where it names none. */
  static async of(page: string): Promise<Ports> {
    const shown = new Set(['3000', '5173', ...(page.match(named) ?? [])])
    return new Ports(new Map(await Promise.all([...shown].map(async (port) => [port, await freePort()] as const))))
  }

  free(shown: string): string {
    return this.#free.get(shown) ?? shown
  }

  /** What the page says, as it is here. */
  real(text: string): string {
    return text.replace(named, (port) => this.free(port))
  }

  /** What is here, as the page says it. */
  shown(text: string): string {
    return this.#free.entries().reduce((told, [shown, free]) => told.replaceAll(free, shown), text)
  }
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `${port}`
}
