/** Maps the ports of a page, such as 3000, to free ones, because the tests of several pages run at once. */
import { freePort } from '../free-port.ts'

/** Ports in addresses, flags, variables and calls. */
const portPattern = /(?<=(?:127\.0\.0\.1|localhost):|--port[= ]|\bPORT=|\bport: |\blisten\()\d{4,5}\b/g

export class Ports {
  readonly #free: ReadonlyMap<string, string>

  private constructor(free: ReadonlyMap<string, string>) {
    this.#free = free
  }

  /** The ports of the page, and the default ports of servers. */
  static async of(page: string): Promise<Ports> {
    const pagePorts = new Set(['3000', '5173', ...(page.match(portPattern) ?? [])])
    return new Ports(
      new Map(await Promise.all([...pagePorts].map(async (port) => [port, `${await freePort()}`] as const))),
    )
  }

  free(pagePort: string): string {
    return this.#free.get(pagePort) ?? pagePort
  }

  /** Replaces ports of the page by free ones. */
  toFreePorts(text: string): string {
    return text.replace(portPattern, (port) => this.free(port))
  }

  /** Replaces free ports by those of the page. */
  toPagePorts(text: string): string {
    return this.#free.entries().reduce((result, [pagePort, free]) => result.replaceAll(free, pagePort), text)
  }
}
