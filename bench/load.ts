/** The load generator: a separate process, so that it does not block the contenders. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startNode } from './child.ts'
import { type LoadOrder, type LoadResult, overtime } from './load/order.ts'

export function startLoad(): ChildProcess {
  return startNode([fileURLToPath(import.meta.resolve('./load/load-process.ts'))], { ipc: true })
}

/** Lets the load process repeat the requests until the time is up. A failed request is an error. */
export async function runLoad(load: ChildProcess, order: LoadOrder): Promise<LoadResult> {
  const result = await runFallibleLoad(load, order)
  const { failures, number } = result
  if (failures > 0) throw new Error(`${failures} requests to ${order.url} failed, ${number} succeeded.`)
  if (number === 0) throw new Error(`${order.url} responded to none of ${order.connections} requests in ${overtime} s.`)
  return result
}

/** Like `runLoad`, for requests that may fail. */
export async function runFallibleLoad(load: ChildProcess, order: LoadOrder): Promise<LoadResult> {
  const finished = new AbortController()
  const { signal } = finished
  load.send(order)
  const [result] = await Promise.race([
    once(load, 'message', { signal }),
    once(load, 'exit', { signal }).catch(() => []),
  ]).finally(() => finished.abort())
  if (!result) throw new Error('The load process has ended.')
  return result as LoadResult
}
