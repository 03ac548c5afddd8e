/** Mocks at work under Node, before a server that answers 501 to whatever they leave alone. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpHandler } from 'msw'
import { afterAll, beforeAll } from 'vitest'
import { type SetupName, setups } from './mock-setup.ts'
import type { Answer, Mocked } from './mock-suite.ts'

/** A server of msw that lets through what it does not handle. */
interface MockServer {
  listen(): void
  resetHandlers(...handlers: HttpHandler[]): void
  close(): void
}

export interface NodeMocks {
  /** Of the server behind the mocks. */
  readonly address: () => string
  ask(method: string, path: string, body?: unknown): Promise<Answer>
  open(setup: SetupName): Promise<Mocked>
}

/** For all tests of a file. */
export function nodeMocks(server: MockServer): NodeMocks {
  const other = createServer((_, response) => response.writeHead(501).end('null'))
  const address = () => `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  beforeAll(async () => {
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    server.listen()
  })
  afterAll(() => {
    server.close()
    other.close()
  })
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const given = body === undefined ? {} : { body: JSON.stringify(body), headers }
    const response = await fetch(address() + path, { method, ...given })
    return { status: response.status, body: await response.json() }
  }
  const open = async (setup: SetupName) => {
    const { handlers, reset } = setups[setup]()
    server.resetHandlers(...handlers)
    return { ask, reset: async () => reset() }
  }
  return { address, ask, open }
}
