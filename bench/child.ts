/** The processes that a run starts: each is ended with the run, however the run ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const root = dirname(import.meta.dirname)
const children = new Set<ChildProcess>()
const patience = 5000

/** Starts Node with these arguments in the root of the repository. `ipc` gives it a channel for messages. */
export function startNode(
  given: readonly string[],
  options: { environment?: Record<string, string>; ipc?: true } = {},
): ChildProcess {
  const child = spawn(process.execPath, given, {
    cwd: root,
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', 'pipe', 'inherit', ...(options.ipc ? (['ipc'] as const) : [])],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** Asks a process to end, and ends it where it does not. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const isSlow = await Promise.race([ended.then(() => false), pause(patience, true, { ref: false })])
  if (isSlow) child.kill('SIGKILL')
  await ended
}

/** Ends every process at once, without waiting. */
export function killAll(): void {
  for (const child of children) child.kill('SIGKILL')
}

export interface Usage {
  /** Resident memory in MiB. */
  readonly memory: number
  /** Seconds of processor time since the process started, all threads together. */
  readonly processor: number
}

/** What a process uses, where the system tells (Linux); undefined elsewhere. */
export function usageOf(child: ChildProcess): Usage | undefined {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    const times = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const ticksPerSecond = 100
    return {
      memory: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
      processor: (Number(times[11]) + Number(times[12])) / ticksPerSecond,
    }
  } catch {
    return undefined
  }
}
