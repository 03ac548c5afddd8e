/** One bash for a whole page: where it is and what it has set stays from command to command. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Said {
  readonly code: number
  /** Both streams, in the order in which they came. */
  readonly output: string
}

/** A command that goes on, such as a server. */
export interface Beside {
  readonly command: string
  readonly said: () => string
  readonly isOver: () => boolean
  /** Ends it as Ctrl+C does, and waits until it is gone. */
  stop(): Promise<void>
}

const alive = new Set<number>()
// Where the tests themselves are ended, no hook of theirs runs.
process.once('exit', () => {
  for (const group of alive) kill(group, 'SIGKILL')
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
  /** For what passes between it and us. */
  readonly #own: string
  readonly #beside: Beside[] = []
  #said = ''
  #folder: string

  /** `own` is a folder for files of its own; `prelude` is run before all else. */
  constructor(folder: string, own: string, environment: Readonly<Record<string, string>>, prelude: string) {
    this.#folder = folder
    this.#own = own
    this.#bash = spawn('bash', ['--noprofile', '--norc'], {
      cwd: folder,
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    })
    const hear = (part: string) => {
      this.#said += part
    }
    for (const stream of [this.#bash.stdout, this.#bash.stderr]) stream?.setEncoding('utf8').on('data', hear)
    if (this.#bash.pid !== undefined) alive.add(this.#bash.pid)
    // Each command that goes on is a group of its own, to be ended with all that it started.
    this.#tell(`set -m\n${prelude}`)
  }

  /** Where it is now. */
  get folder(): string {
    return this.#folder
  }

  /** Runs a command to its end. */
  async run(command: string, within = 60_000): Promise<Said> {
    const mark = randomUUID()
    const from = this.#said.length
    this.#tell(`source ${this.#file(command)} </dev/null 2>&1; printf '\\n%s %s %s\\n' ${mark} $? "$PWD"`)
    const end = new RegExp(`\\n${mark} (\\d+) (.*)\\n`)
    const found = await until(
      () => {
        if (this.#bash.exitCode !== null) throw new Error(`${command}\nhas ended the shell itself.`)
        return end.exec(this.#said.slice(from))
      },
      within,
      `${command}\nended`,
    )
    this.#folder = found[2] ?? ''
    return { code: Number(found[1]), output: this.#said.slice(from, from + found.index) }
  }

  /** Starts a command that goes on, and waits for nothing but its start. */
  async start(command: string): Promise<Beside> {
    const log = join(this.#own, `${randomUUID()}.log`)
    const { output } = await this.run(`source ${this.#file(command)} >${log} 2>&1 </dev/null & echo "pid $!"`)
    const group = Number(/pid (\d+)/.exec(output)?.[1])
    alive.add(group)
    const beside: Beside = {
      command,
      said: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
      isOver: () => !kill(group, 0),
      stop: async () => {
        kill(group, 'SIGINT')
        try {
          await until(() => !kill(group, 0), 15_000, `${command}\nstopped at Ctrl+C`)
        } finally {
          kill(group, 'SIGKILL')
          alive.delete(group)
        }
      },
    }
    this.#beside.push(beside)
    return beside
  }

  /** Ends whatever it has started, and itself. */
  async close(): Promise<void> {
    try {
      for (const one of this.#beside) if (!one.isOver()) await one.stop()
    } finally {
      if (this.#bash.pid !== undefined && this.#bash.exitCode === null) {
        const gone = new Promise((resolve) => this.#bash.once('close', resolve))
        kill(this.#bash.pid, 'SIGKILL')
        await gone
        alive.delete(this.#bash.pid)
      }
      rmSync(this.#own, { recursive: true, force: true })
    }
  }

  #tell(line: string): void {
    this.#bash.stdin?.write(`${line}\n`)
  }

  /** A file that is sourced cannot leave the shell within a quote that nobody closes. */
  #file(command: string): string {
    const path = join(this.#own, `${randomUUID()}.sh`)
    writeFileSync(path, `${command}\n`)
    return path
  }
}

/** Waits until there is something, and gives it. */
export async function until<Found>(find: () => Found, within: number, what: string): Promise<NonNullable<Found>> {
  const end = performance.now() + within
  for (;;) {
    const found = find()
    if (found) return found
    if (performance.now() > end) throw new Error(`Not within ${within} ms: ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
