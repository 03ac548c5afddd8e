/** Lets a test choose the mocks, and reports when they are ready. */
import { setupWorker } from 'msw/browser'
import { type SetupName, setups } from '../mock-setup.ts'

const worker = setupWorker()
let reset = () => {}

const mockControl = {
  open(name: SetupName): void {
    const mock = setups[name]()
    worker.resetHandlers(...mock.handlers)
    reset = mock.reset
  },
  reset: () => reset(),
}

export type MockControl = typeof mockControl

Object.assign(globalThis, { mockControl })
await worker.start({ onUnhandledFrame: 'bypass', quiet: true })
Object.assign(globalThis, { isReady: true })
