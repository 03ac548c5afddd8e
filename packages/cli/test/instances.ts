/** Several instances of a service, which may be killed and started again. */
import type { Random } from '@nomen/testing/random'
import type { RunningServer } from './nomen.ts'

export const numberOfInstances = 2

/** The running instances of a service. */
export class Instances {
  readonly servers: RunningServer[] = []
  readonly #start: () => Promise<RunningServer>

  constructor(start: () => Promise<RunningServer>) {
    this.#start = start
  }

  async startAll(): Promise<void> {
    for (let index = 0; index < numberOfInstances; index++) this.servers.push(await this.#start())
  }

  async replace(index: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { [index]: server } = this.servers
    server?.kill(signal)
    await server?.exit
    this.servers[index] = await this.#start()
  }

  base(random: Random): string {
    return random.pick(this.servers).base
  }
}

/** Sends a request, and returns its status; 0 if the instance was killed. */
export async function send(base: string, method: string, path: string, body?: object): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  try {
    const response = await fetch(base + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    await response.arrayBuffer()
    return response.status
  } catch {
    // The instance was killed.
    return 0
  }
}
