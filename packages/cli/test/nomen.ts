/** The command as a process of its own, gone when the test is, with every process that it started. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { forTest, type Over } from './over.ts'

export const root = join(import.meta.dirname, '../../..')
const command = join(import.meta.dirname, '..', manifest.bin.nomen)
/** In a clone the console is built before all tests; whoever runs a single one may not have it. */
export const hasConsole = existsSync(join(root, 'packages/cli/static/console/index.html'))
// What a process has compiled serves the next: half of a start is the reading of sources.
const compiled = join(root, 'node_modules/.cache/nomen-test')

export interface Place {
  /** The folder that it is called in; that of the repository unless given. */
  readonly folder?: string
  /** Nothing else of the environment reaches it. */
  readonly environment?: Readonly<Record<string, string>>
  /** A command that runs it, with its arguments. */
  readonly under?: readonly string[]
  /** What it reads from standard input; nothing unless given. */
  readonly input?: string
  /** How long it may live; as long as the test unless given. */
  readonly over?: Over
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
  readonly errors: string
}

export interface Running {
  readonly pid: number
  readonly ended: Promise<Ended>
  /** What it has said on standard output so far. */
  readonly said: () => string
  readonly complained: () => string
  /** Reads no more of its standard output, as if whoever did had ended. */
  closeOutput(): void
  kill(signal: NodeJS.Signals): void
  /** As Ctrl+C does: to it and to every process that it started. */
  killAll(signal: NodeJS.Signals): void
}

export interface Served extends Running {
  readonly base: string
  readonly port: number
}

const alive = new Set<ChildProcess>()
// Where the tests themselves are ended, no hook of theirs runs.
process.once('exit', () => {
  for (const child of alive) killGroup(child, 'SIGKILL')
})

/** A process that is gone may have left others behind. */
function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Starts the command and does not wait for anything. */
export function start(given: readonly string[], place: Place = {}): Running {
  const { folder = root, environment = {}, under = [], input = '', over = forTest } = place
  const [file = '', ...rest] = [...under, process.execPath, command, ...given]
  const child = spawn(file, rest, {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compiled, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    // In a group of its own, all of which can be ended at once.
    detached: true,
  })
  // It may end without reading any of it.
  child.stdin.on('error', () => undefined).end(input)
  alive.add(child)
  let said = ''
  let complained = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    said += part
  })
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    complained += part
  })
  const ended = once(child, 'close').then(([code, signal]) => {
    alive.delete(child)
    return { code, signal, output: said, errors: complained }
  })
  over(async () => {
    killGroup(child, 'SIGKILL')
    await ended
  })
  return {
    pid: child.pid ?? 0,
    ended,
    said: () => said,
    complained: () => complained,
    closeOutput: () => void child.stdout.destroy(),
    kill: (signal) => void child.kill(signal),
    killAll: (signal) => killGroup(child, signal),
  }
}

/** Runs the command to its end. */
export function nomen(given: readonly string[], place?: Place): Promise<Ended> {
  return start(given, place).ended
}

/** Serves until the test is over, or until it is told to stop; port 0 unless the flags say otherwise. */
export async function serve(given: readonly string[], place: Place = {}): Promise<Served> {
  const isPortGiven = given.includes('--port') || place.environment?.PORT !== undefined
  const running = start(['serve', ...given, ...(isPortGiven ? [] : ['--port', '0'])], place)
  const address = () => /is served at (http:\/\/\S+)\n/.exec(running.said())?.[1]
  let isOver = false
  void running.ended.then(() => {
    isOver = true
  })
  await until(() => isOver || address() !== undefined, 30_000, 'nomen serve says where it serves')
  const base = address()
  if (isOver || base === undefined) throw new Error(`nomen serve ended: ${running.said()}${running.complained()}`)
  return { ...running, base, port: Number(new URL(base).port) }
}

/** Waits until it is so. */
export async function until(isSo: () => boolean, within: number, what: string): Promise<void> {
  const end = performance.now() + within
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`Not within ${within} ms: ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
