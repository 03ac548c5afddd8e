/** The processes that `nomen serve --workers` has started. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { type RunningServer, waitUntil } from './nomen.ts'
import { keepAliveAgent, sendRequest } from './send-request.ts'

/** A POST that a rule of the service rejects with the ID of the process that received it. */
export interface WorkerProbe {
  readonly path: string
  readonly body: unknown
}

/** The process ID of the worker at the other end of a connection. */
export async function workerAt(base: string, { path, body }: WorkerProbe, agent: Agent): Promise<number> {
  const response = await sendRequest(base + path, { method: 'POST', body, agent })
  expect(response.status).toBe(422)
  return Number((response.json() as { detail: string }).detail)
}

/** Waits until this many workers have responded, and returns their process IDs. */
export async function waitForWorkers(
  server: RunningServer,
  probe: WorkerProbe,
  count: number,
): Promise<readonly number[]> {
  const workers = new Set<number>()
  for (let tries = 0; workers.size < count; tries++) {
    expect(tries, `${[...workers]} answer`).toBeLessThan(200)
    await workerAt(server.base, probe, keepAliveAgent()).then(
      (worker) => workers.add(worker),
      () => undefined,
    )
    for (const worker of workers) if (!workersOf(server.pid).includes(worker)) workers.delete(worker)
    if (tries > count) await pause(100)
  }
  return [...workers]
}

/** The workers that are running. */
export function workersOf(pid: number): readonly number[] {
  return childrenOf(pid).split(/\s+/).filter(Boolean).map(Number)
}

function childrenOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return execFileSync('pgrep', ['-P', `${pid}`], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

/** Waits until all of these processes have ended. */
export function waitUntilGone(pids: readonly number[]): Promise<void> {
  return waitUntil(() => !pids.some(isAlive), 20_000, `${pids} are gone`)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A zombie has ended, but its parent has not read its status.
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
