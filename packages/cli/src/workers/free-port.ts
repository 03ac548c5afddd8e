/** Reserves a free port until a worker listens on it, so that all workers can use the same number. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

export interface FreePort {
  readonly number: number
  /** Frees the port, so that a worker can listen on it. */
  release(): void
}

/** Undefined if the host has no free port: the worker that listens there reports the error. */
export async function holdFreePort(host: string): Promise<FreePort | undefined> {
  const server = createServer((socket) => socket.destroy()).unref()
  try {
    await once(server.listen(0, host), 'listening')
  } catch {
    return undefined
  }
  return { number: (server.address() as AddressInfo).port, release: () => server.close() }
}
