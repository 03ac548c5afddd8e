/** The processes that `nomen serve --workers` has started. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { until } from './nomen.ts'

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
