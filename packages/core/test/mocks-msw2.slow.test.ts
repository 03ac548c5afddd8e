// The rules of mocks with the oldest supported msw.
import { setupServer } from 'msw2/node'
import { describe, vi } from 'vitest'
import { mockSuite } from './mock-suite.ts'
import { nodeMocks } from './node-mocks.ts'

vi.mock('msw', () => import('msw2'))

const server = setupServer()
const { open } = nodeMocks({
  listen: () => server.listen({ onUnhandledRequest: 'bypass' }),
  // The types are those of the installed msw; this test has both versions.
  resetHandlers: (...handlers) => server.resetHandlers(...(handlers as never[])),
  close: () => server.close(),
})

describe('mocks in Node with msw 2.12', () => {
  mockSuite(open)
})
