/** The load: a process of its own, so that it takes no time from those who answer. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startNode } from './child.ts'
import { type LoadOrder, type LoadResult, overtime } from './load/order.ts'

export function startLoad(): ChildProcess {
  return startNode([fileURLToPath(import.meta.resolve('./load/load-process.ts'))], { ipc: true })
}

/** Has the load process send the requests, over and over, until the time is up. */
export async function runLoad(load: ChildProcess, order: LoadOrder): Promise<LoadResult> {
  const answered = new AbortController()
  const { signal } = answered
  load.send(order)
  const [result] = await Promise.race([
    once(load, 'message', { signal }),
    once(load, 'exit', { signal }).catch(() => []),
  ]).finally(() => answered.abort())
  if (!result) throw new Error('The load process has ended.')
  const { failures, number } = result as LoadResult
  if (failures > 0) throw new Error(`${failures} requests to ${order.url} failed, ${number} were answered.`)
  if (number === 0) throw new Error(`${order.url} answered none of ${order.connections} requests in ${overtime} s.`)
  return result
}
