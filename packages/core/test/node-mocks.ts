/** Mocks in Node, in front of a server that responds with 501 to requests without a mock. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpHandler } from 'msw'
import { afterAll, beforeAll } from 'vitest'
import { type SetupName, setups } from './mock-setup.ts'
import type { MockResponse, RunningMocks } from './mock-suite.ts'

/** An msw server that passes through requests without a handler. */
interface MockServer {
  listen(): void
  resetHandlers(...handlers: HttpHandler[]): void
  close(): void
}

export interface NodeMocks {
  /** The URL of the server behind the mocks. */
  readonly backendUrl: () => string
  send(method: string, path: string, body?: unknown): Promise<MockResponse>
  open(setup: SetupName): Promise<RunningMocks>
}

/** Starts the mocks for all tests of a file. */
export function nodeMocks(server: MockServer): NodeMocks {
  const backend = createServer((_, response) => response.writeHead(501).end('null'))
  const backendUrl = () => `http://127.0.0.1:${(backend.address() as AddressInfo).port}`
  beforeAll(async () => {
    backend.listen(0, '127.0.0.1')
    await once(backend, 'listening')
    server.listen()
  })
  afterAll(() => {
    server.close()
    backend.close()
  })
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const init = body === undefined ? {} : { body: JSON.stringify(body), headers }
    const response = await fetch(backendUrl() + path, { method, ...init })
    return { status: response.status, body: await response.json() }
  }
  const open = async (setup: SetupName) => {
    const { handlers, reset } = setups[setup]()
    server.resetHandlers(...handlers)
    return { send, reset: async () => reset() }
  }
  return { backendUrl, send, open }
}
