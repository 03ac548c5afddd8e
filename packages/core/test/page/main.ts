/** Lets a test choose between the mocks, and says when they are at work. */
import { setupWorker } from 'msw/browser'
import { type SetupName, setups } from '../mock-setup.ts'

const worker = setupWorker()
let reset = () => {}

const door = {
  open(name: SetupName): void {
    const mock = setups[name]()
    worker.resetHandlers(...mock.handlers)
    reset = mock.reset
  },
  reset: () => reset(),
}

export type Door = typeof door

Object.assign(globalThis, { door })
await worker.start({ onUnhandledFrame: 'bypass', quiet: true })
Object.assign(globalThis, { isReady: true })
