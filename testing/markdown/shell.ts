/** One bash for a whole page: its folder and variables persist between commands. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface CommandResult {
  readonly code: number
  /** Both streams, in order of arrival. */
  readonly output: string
}

/** A background command, such as a server. */
export interface BackgroundCommand {
  readonly command: string
  readonly output: () => string
  readonly hasEnded: () => boolean
  /** Stops the command as Ctrl+C does, and waits for its end. */
  stop(): Promise<void>
}

const runningShells = new Set<number>()
// No hook runs if the test process exits.
process.once('exit', () => {
  for (const group of runningShells) kill(group, 'SIGKILL')
})

function kill(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

export class Shell {
  readonly #bash: ChildProcess
  /** A folder for files that are exchanged with bash. */
  readonly #own: string
  readonly #background: BackgroundCommand[] = []
  #output = ''
  #folder: string

  /** `own` is a folder for files of the shell; `prelude` runs first. */
  constructor(folder: string, shellFolder: string, environment: Readonly<Record<string, string>>, prelude: string) {
    this.#folder = folder
    this.#own = shellFolder
    this.#bash = spawn('bash', ['--noprofile', '--norc'], {
      cwd: folder,
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    })
    const append = (part: string) => {
      this.#output += part
    }
    for (const stream of [this.#bash.stdout, this.#bash.stderr]) stream?.setEncoding('utf8').on('data', append)
    if (this.#bash.pid !== undefined) runningShells.add(this.#bash.pid)
    // Each background command is its own process group, so that it is stopped with its children.
    this.#send(`set -m\n${prelude}`)
  }

  /** The current folder. */
  get folder(): string {
    return this.#folder
  }

  /** Runs a command to its end. */
  async run(command: string, timeoutMs = 60_000): Promise<CommandResult> {
    const marker = randomUUID()
    const from = this.#output.length
    this.#send(`source ${this.#file(command)} </dev/null 2>&1; printf '\\n%s %s %s\\n' ${marker} $? "$PWD"`)
    const end = new RegExp(`\\n${marker} (\\d+) (.*)\\n`)
    const match = await waitFor(
      () => {
        if (this.#bash.exitCode !== null) throw new Error(`${command}\nhas ended the shell.`)
        return end.exec(this.#output.slice(from))
      },
      timeoutMs,
      `${command}\nended`,
    )
    this.#folder = match[2] ?? ''
    return { code: Number(match[1]), output: this.#output.slice(from, from + match.index) }
  }

  /** Starts a background command, without waiting for its output. */
  async start(command: string): Promise<BackgroundCommand> {
    const log = join(this.#own, `${randomUUID()}.log`)
    const { output } = await this.run(`source ${this.#file(command)} >${log} 2>&1 </dev/null & echo "pid $!"`)
    const group = Number(/pid (\d+)/.exec(output)?.[1])
    runningShells.add(group)
    const backgroundCommand: BackgroundCommand = {
      command,
      output: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
      hasEnded: () => !kill(group, 0),
      stop: async () => {
        kill(group, 'SIGINT')
        try {
          await waitFor(() => !kill(group, 0), 15_000, `${command}\nstopped at Ctrl+C`)
        } finally {
          kill(group, 'SIGKILL')
          runningShells.delete(group)
        }
      },
    }
    this.#background.push(backgroundCommand)
    return backgroundCommand
  }

  /** Stops all background commands, and the shell. */
  async close(): Promise<void> {
    try {
      for (const command of this.#background) if (!command.hasEnded()) await command.stop()
    } finally {
      if (this.#bash.pid !== undefined && this.#bash.exitCode === null) {
        const closed = new Promise((resolve) => this.#bash.once('close', resolve))
        kill(this.#bash.pid, 'SIGKILL')
        await closed
        runningShells.delete(this.#bash.pid)
      }
      rmSync(this.#own, { recursive: true, force: true })
    }
  }

  #send(line: string): void {
    this.#bash.stdin?.write(`${line}\n`)
  }

  /** A sourced file cannot leave the shell within an unclosed quote. */
  #file(command: string): string {
    const path = join(this.#own, `${randomUUID()}.sh`)
    writeFileSync(path, `${command}\n`)
    return path
  }
}

/** Polls until `find` returns a value, and returns it. */
export async function waitFor<Result>(
  find: () => Result,
  timeoutMs: number,
  description: string,
): Promise<NonNullable<Result>> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const result = find()
    if (result) return result
    if (performance.now() > end) throw new Error(`Timeout after ${timeoutMs} ms: ${description}.`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
