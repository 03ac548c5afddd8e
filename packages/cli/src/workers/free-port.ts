/** A free port that is held until somebody is about to listen on it: by then it must be named, and nobody may have taken it. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

export interface FreePort {
  readonly number: number
  /** From the next moment on, it can be listened on. */
  release(): void
}

/** Undefined where none can be had on this host: whoever listens there will be told why. */
export async function holdFreePort(host: string): Promise<FreePort | undefined> {
  const server = createServer((socket) => socket.destroy()).unref()
  try {
    await once(server.listen(0, host), 'listening')
  } catch {
    return undefined
  }
  return { number: (server.address() as AddressInfo).port, release: () => server.close() }
}
