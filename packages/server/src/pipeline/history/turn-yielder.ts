/** Lets other requests run during long work on SQLite, which does not wait for the event loop between two statements. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long the work may keep the event loop. */
const turnMs = 10

/** Returns a function to call between the statements of one transaction. */
export function turnYielder(): () => Promise<void> {
  let startMs = performance.now()
  return async () => {
    if (performance.now() - startMs < turnMs) return
    await nextTurn()
    startMs = performance.now()
  }
}
