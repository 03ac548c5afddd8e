/** Measures the time from the start of a contender's process to its first response. */
import { end } from './child.ts'
import type { RunningContender } from './contender.ts'

/** Milliseconds from starting the process to the first 200, on an existing database. */
export async function timeToFirstResponse(start: () => Promise<RunningContender>): Promise<number> {
  const startTime = performance.now()
  const { child } = await start()
  const time = performance.now() - startTime
  await end(child)
  return time
}
