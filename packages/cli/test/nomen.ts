/** Runs the command in a separate process. All processes that it starts end with the test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { nomenArguments } from '@nomen/testing/compiled'
import { forTest, type OnCleanup } from './over.ts'

export const root = join(import.meta.dirname, '../../..')
// Processes share the compile cache: compiling takes half of the start.
const compileCache = join(root, 'node_modules/.cache/nomen-test')

export interface CommandOptions {
  /** The current folder. @default the repository */
  readonly folder?: string
  /** The whole environment, apart from PATH. */
  readonly environment?: Readonly<Record<string, string>>
  /** A program that runs the command, with its arguments. */
  readonly under?: readonly string[]
  /** Standard input. @default empty */
  readonly input?: string
  /** Registers the end of the process as a cleanup. @default at the end of the test */
  readonly onCleanup?: OnCleanup
}

export interface CommandResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
  /** Standard error without progress, which a command prints only if it takes more than five seconds. */
  readonly errors: string
}

const progressLines = /^(?:Backing up|Checking|Exporting|Loading|Reading|Restoring|Shipping) .*\d\/s.*\n/gm

export interface RunningCommand {
  readonly pid: number
  readonly exit: Promise<CommandResult>
  /** Standard output so far. */
  readonly stdout: () => string
  /** Standard error so far. */
  readonly stderr: () => string
  /** Stops reading its standard output, as if the reader had ended. */
  closeOutput(): void
  kill(signal: NodeJS.Signals): void
  /** Sends a signal to the command and to its child processes, like Ctrl+C. */
  killAll(signal: NodeJS.Signals): void
}

export interface RunningServer extends RunningCommand {
  readonly base: string
  readonly port: number
}

const runningProcesses = new Set<ChildProcess>()
// No hook runs if the test process exits.
process.once('exit', () => {
  for (const child of runningProcesses) killGroup(child, 'SIGKILL')
})

/** Sends a signal to a process group. A process that has ended may have left child processes. */
function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Starts the command without waiting. */
export function start(args: readonly string[], options: CommandOptions = {}): RunningCommand {
  const { folder = root, environment = {}, under = [], input = '', onCleanup = forTest } = options
  const [file = '', ...allArgs] = [...under, process.execPath, ...nomenArguments, ...args]
  const child = spawn(file, allArgs, {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate process group, which can be killed at once.
    detached: true,
  })
  // The command may end without reading its input.
  child.stdin.on('error', () => undefined).end(input)
  runningProcesses.add(child)
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const exit = once(child, 'close').then(([code, signal]) => {
    runningProcesses.delete(child)
    return { code, signal, output, errors: errors.replace(progressLines, '') }
  })
  onCleanup(async () => {
    killGroup(child, 'SIGKILL')
    await exit
  })
  return {
    pid: child.pid ?? 0,
    exit,
    stdout: () => output,
    stderr: () => errors,
    closeOutput: () => void child.stdout.destroy(),
    kill: (signal) => void child.kill(signal),
    killAll: (signal) => killGroup(child, signal),
  }
}

/** Runs the command to its end. */
export function nomen(args: readonly string[], options?: CommandOptions): Promise<CommandResult> {
  return start(args, options).exit
}

/** Serves until the end of the test or a signal. The default port is 0. */
export async function serve(args: readonly string[], options: CommandOptions = {}): Promise<RunningServer> {
  const hasPort = args.includes('--port') || options.environment?.PORT !== undefined
  const command = start(['serve', ...args, ...(hasPort ? [] : ['--port', '0'])], options)
  const urlInOutput = () => /is running at (http:\/\/\S+)\n/.exec(command.stdout())?.[1]
  let hasEnded = false
  void command.exit.then(() => {
    hasEnded = true
  })
  await waitUntil(() => hasEnded || urlInOutput() !== undefined, 30_000, 'nomen serve prints its URL')
  const base = urlInOutput()
  if (hasEnded || base === undefined) throw new Error(`nomen serve ended: ${command.stdout()}${command.stderr()}`)
  return { ...command, base, port: Number(new URL(base).port) }
}

/** Waits until the condition is true. */
export async function waitUntil(condition: () => boolean, timeoutMs: number, description: string): Promise<void> {
  const end = performance.now() + timeoutMs
  while (!condition()) {
    if (performance.now() > end) throw new Error(`Not within ${timeoutMs} ms: ${description}.`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
