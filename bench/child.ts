/** The child processes of a run: all of them end with the run. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const root = dirname(import.meta.dirname)
const children = new Set<ChildProcess>()
const termTimeoutMs = 5000

export interface NodeOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** Gives the process a channel for messages. */
  readonly ipc?: true
  /** Another executable than the current Node. */
  readonly program?: string
  /** The working directory (default: the root of the repository). */
  readonly cwd?: string
  /** A file for the output of the process (default: its output can be read, and its errors are shown). */
  readonly log?: string
}

/** Starts Node with these arguments. */
export function startNode(args: readonly string[], options: NodeOptions = {}): ChildProcess {
  const log = options.log === undefined ? undefined : openSync(options.log, 'a')
  const child = spawn(options.program ?? process.execPath, args, {
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

/** Terminates a process, and kills it if that takes too long. */
export async function end(child: ChildProcess): Promise<void> {
  if (isEnded(child)) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const hasTimedOut = await Promise.race([exit.then(() => false), pause(termTimeoutMs, true, { ref: false })])
  if (hasTimedOut) killTree(child)
  await exit
}

/** Kills every process at once, without waiting. */
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
  /** The part of it that is mapped files, such as the program of Node. */
  readonly mappedMemory: number
  /** Seconds of processor time since the process started: all its threads, and its children that have ended. */
  readonly processor: number
}

/** The resources of a process and its children on Linux; undefined on other systems. */
export function usageOf(root: Pick<ChildProcess, 'pid'>): Usage | undefined {
  const usages = treeOf(root).flatMap((id) => usageOfProcess(id) ?? [])
  if (usages.length === 0) return undefined
  return {
    memory: usages.reduce((sum, { memory }) => sum + memory, 0),
    mappedMemory: usages.reduce((sum, { mappedMemory }) => sum + mappedMemory, 0),
    processor: usages.reduce((sum, { processor }) => sum + processor, 0),
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
      mappedMemory: Number(/RssFile:\s+(\d+)/.exec(status)?.[1]) / 1024,
      processor: times.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond,
    }
  } catch {
    return undefined
  }
}

/** The ids of a process and all its descendants on Linux; only its own id on other systems. */
function treeOf({ pid }: Pick<ChildProcess, 'pid'>): number[] {
  const ids = pid === undefined ? [] : [pid]
  for (const id of ids) {
    try {
      const childIds = readFileSync(`/proc/${id}/task/${id}/children`, 'utf8')
      ids.push(...childIds.split(' ').filter(Boolean).map(Number))
    } catch {
      // The process has ended, or the system has no /proc.
    }
  }
  return ids
}

const idleTimeoutMs = 120_000

/** Waits until a process is idle: abandoned requests would take time from other contenders. */
export async function waitUntilIdle(child: ChildProcess): Promise<void> {
  const startMs = performance.now()
  let before = usageOf(child)?.processor
  while (before !== undefined && performance.now() - startMs < idleTimeoutMs) {
    await pause(200)
    const now = usageOf(child)?.processor
    if (now === undefined || now - before < 0.05) return
    before = now
  }
}
