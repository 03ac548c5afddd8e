/** How long a contender takes from the start of its process to its first answer. */
import { end } from './child.ts'
import type { Served } from './contender.ts'

/** Milliseconds from starting the process to the first 200, on a database that is already there. */
export async function timeToFirstAnswer(start: () => Promise<Served>): Promise<number> {
  const started = performance.now()
  const { child } = await start()
  const time = performance.now() - started
  await end(child)
  return time
}
