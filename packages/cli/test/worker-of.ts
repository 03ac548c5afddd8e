/** The processes that `nomen serve --workers` has started. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { ask, keptConnection } from './ask.ts'
import { type Served, until } from './nomen.ts'

/** How a service of a test is asked which process answers: a record that a rule of it refuses with the process's number. */
export interface Question {
  readonly path: string
  readonly body: unknown
}

/** The process at the other end of a connection. */
export async function workerAt(base: string, { path, body }: Question, agent: Agent): Promise<number> {
  const refused = await ask(base + path, { method: 'POST', body, agent })
  expect(refused.status).toBe(422)
  return Number((refused.json() as { detail: string }).detail)
}

/** Waits until each of so many workers has answered on a connection of its own, and gives their processes. */
export async function untilReached(served: Served, question: Question, count: number): Promise<readonly number[]> {
  const found = new Set<number>()
  for (let tries = 0; found.size < count; tries++) {
    expect(tries, `${[...found]} answer`).toBeLessThan(200)
    await workerAt(served.base, question, keptConnection()).then(
      (worker) => found.add(worker),
      () => undefined,
    )
    for (const worker of found) if (!workersOf(served.pid).includes(worker)) found.delete(worker)
    if (tries > count) await pause(100)
  }
  return [...found]
}

/** Those that run now. */
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

export function untilGone(pids: readonly number[], within: number): Promise<void> {
  return until(() => !pids.some(isAlive), within, `${pids} are gone`)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // One whose parent is gone may be over, and nobody asks how it ended.
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
