/** The processes that a run starts: each is ended with the run, however the run ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const root = dirname(import.meta.dirname)
const children = new Set<ChildProcess>()
const patience = 5000

export interface NodeOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** Gives the process a channel for messages. */
  readonly ipc?: true
  /** Another Node than the one that runs this. */
  readonly node?: string
  /** The root of the repository unless given. */
  readonly cwd?: string
  /** A file that takes what the process prints. Unless given, its output is there to be read and its errors are shown. */
  readonly log?: string
}

/** Starts Node with these arguments. */
export function startNode(given: readonly string[], options: NodeOptions = {}): ChildProcess {
  const log = options.log === undefined ? undefined : openSync(options.log, 'a')
  const child = spawn(options.node ?? process.execPath, given, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', log ?? 'pipe', log ?? 'inherit', ...(options.ipc ? (['ipc'] as const) : [])],
  })
  if (log !== undefined) closeSync(log)
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

export function isEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Asks a process to end, and ends it where it does not. */
export async function end(child: ChildProcess): Promise<void> {
  if (isEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const isSlow = await Promise.race([ended.then(() => false), pause(patience, true, { ref: false })])
  if (isSlow) killTree(child)
  await ended
}

/** Ends every process at once, without waiting. */
export function killAll(): void {
  for (const child of children) killTree(child)
}

function killTree(child: ChildProcess): void {
  for (const id of treeOf(child)) {
    try {
      process.kill(id, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}

export interface Usage {
  /** Resident memory in MiB. */
  readonly memory: number
  /** Seconds of processor time since the process started, all threads together. */
  readonly processor: number
}

/** What a process and those that it started use, where the system tells (Linux); undefined elsewhere. */
export function usageOf(child: ChildProcess): Usage | undefined {
  const used = treeOf(child).flatMap((id) => usageOfProcess(id) ?? [])
  if (used.length === 0) return undefined
  return {
    memory: used.reduce((sum, { memory }) => sum + memory, 0),
    processor: used.reduce((sum, { processor }) => sum + processor, 0),
  }
}

function usageOfProcess(id: number): Usage | undefined {
  try {
    const status = readFileSync(`/proc/${id}/status`, 'utf8')
    const times = readFileSync(`/proc/${id}/stat`, 'utf8')
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

/** The ids of a process and of all that it started, where the system tells; its own id elsewhere. */
function treeOf({ pid }: ChildProcess): number[] {
  const found = pid === undefined ? [] : [pid]
  for (const id of found) {
    try {
      const started = readFileSync(`/proc/${id}/task/${id}/children`, 'utf8')
      found.push(...started.split(' ').filter(Boolean).map(Number))
    } catch {
      // It has ended, or the system does not tell.
    }
  }
  return found
}

const longest = 120_000

/** Waits until a process has done what it was asked: requests that nobody waits for any more take time from others. */
export async function untilIdle(child: ChildProcess): Promise<void> {
  const started = performance.now()
  let before = usageOf(child)?.processor
  while (before !== undefined && performance.now() - started < longest) {
    await pause(200)
    const now = usageOf(child)?.processor
    if (now === undefined || now - before < 0.05) return
    before = now
  }
}
