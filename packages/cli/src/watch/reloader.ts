/** `nomen serve --watch`: starts a new process for each change, and keeps the old one if the new one cannot start. */
import cluster from 'node:cluster'
import { relative } from 'node:path'
import type { ApplicationLog } from '@nomen/server'
import { onStopRequest } from '../process/stop-request.ts'
import { type FreePort, holdFreePort } from '../workers/free-port.ts'
import { isReport, type Report } from '../workers/report.ts'
import { type WorkerEnd, WorkerSlot } from '../workers/worker-slot.ts'
import { FileWatch } from './file-watch.ts'

export interface WatchSettings {
  /** The arguments of the command. */
  readonly args: readonly string[]
  readonly host: string
  readonly port: number
  readonly log: ApplicationLog
}

/** Serves, and reloads when a file of the service changes, until a stop signal. */
export async function serveAndReload(settings: WatchSettings): Promise<void> {
  const reloader = new Reloader(settings)
  onStopRequest(() => reloader.stop())
  await reloader.start()
}

/** Marks a change of the database schema instead of a file. */
const schema = Symbol('schema')

/** One process, from its start to its end. */
interface Run {
  readonly slot: WorkerSlot
  /** The file whose change started it, or the schema of the database; undefined for the first. */
  readonly changed: string | typeof schema | undefined
  hasFailed: boolean
  /** Called when the process has ended because another one has replaced it. */
  onReplaced?: () => void
}

class Reloader {
  readonly #settings: WatchSettings
  readonly #watch = new FileWatch((file) => this.#onChange(file))
  #freePort: FreePort | undefined
  #numberOfRuns = 0
  /** The process that serves, the one that starts, and a change that arrived while it starts. */
  #current: Run | undefined
  #next: Run | undefined
  #pendingChange: Run['changed']
  #hasWelcomed = false
  #isStopping = false

  constructor(settings: WatchSettings) {
    this.#settings = settings
    cluster.schedulingPolicy = cluster.SCHED_RR
  }

  async start(): Promise<void> {
    const { port, host } = this.#settings
    if (port === 0) this.#freePort = await holdFreePort(host)
    if (!this.#isStopping) this.#begin(undefined)
  }

  /** The first call waits for open requests; the second one kills the processes. */
  stop(): void {
    const slots = [this.#current, this.#next].flatMap((run) => run?.slot ?? [])
    if (this.#isStopping) {
      for (const slot of slots) slot.kill('SIGKILL')
      process.exit(1)
    }
    this.#isStopping = true
    this.#watch.close()
    this.#freePort?.release()
    for (const slot of slots) slot.stop()
  }

  #onChange(file: string): void {
    if (this.#isStopping) return
    if (!this.#next) {
      this.#begin(file)
      return
    }
    // The starting process loads outdated files.
    this.#pendingChange = file
    this.#next.slot.kill('SIGTERM')
  }

  /** Reloads because another process has migrated the database, unless the starting process has done that itself. */
  #onSchemaChange(run: Run): void {
    if (run !== this.#current) return
    if (this.#next) this.#pendingChange ??= schema
    else this.#begin(schema)
  }

  #begin(changed: Run['changed']): void {
    const { args, port } = this.#settings
    cluster.setupPrimary({
      args: [...args, `--port=${this.#freePort?.number ?? port}`],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const run: Run = { slot: new WorkerSlot(++this.#numberOfRuns, this.#settings.log), changed, hasFailed: false }
    this.#next = run
    this.#watch.isWide = false
    run.slot.start(cluster.fork(), {
      onMessage: (message) => {
        if (isReport(message)) this.#onReport(run, message)
      },
      onEnd: (end) => this.#onEnd(run, end),
    })
  }

  #onReport(run: Run, report: Report): void {
    if (this.#isStopping) return
    if (report.kind === 'loaded') this.#watch.add(report.files)
    else if (report.kind === 'opened') this.#freePort?.release()
    else if (report.kind === 'listening') this.#onListening(run, report.welcome)
    else if (report.kind === 'schema-changed') this.#onSchemaChange(run)
    else if (report.kind === 'failed') this.#onFailure(run, report)
  }

  #onListening(run: Run, welcome: string): void {
    // A file has changed: the process has got its stop signal, and another one replaces it.
    if (this.#pendingChange !== undefined && this.#pendingChange !== schema) return
    const previous = this.#current
    this.#current = run
    this.#next = undefined
    this.#pendingChange = undefined
    const report = () => {
      if (!this.#hasWelcomed) console.log(`${welcome}\nWatching for file changes.`)
      else console.log(`nomen: ${nameOf(run.changed)} changed, service reloaded.`)
      this.#hasWelcomed = true
    }
    // Until the previous process has ended, it may still handle requests.
    if (previous) previous.onReplaced = report
    else report()
    previous?.slot.stop()
  }

  #onFailure(run: Run, { text, exitCode, isInServiceFiles }: Extract<Report, { kind: 'failed' }>): void {
    run.hasFailed = true
    if (this.#pendingChange !== undefined) return
    this.#watch.isWide = true
    console.error(text)
    if (this.#current) console.error('  The previous version keeps running.')
    else if (isInServiceFiles) console.error('  The service starts when you fix this error.')
    else this.#giveUp(exitCode)
  }

  /** No process serves, and no change of a file would help. */
  #giveUp(exitCode: number): void {
    process.exitCode = exitCode
    this.#isStopping = true
    this.#watch.close()
  }

  #onEnd(run: Run, { code, signal }: WorkerEnd): void {
    const isLost = run === this.#current || (run === this.#next && !run.hasFailed && this.#pendingChange === undefined)
    if (run === this.#current) this.#current = undefined
    if (run === this.#next) this.#next = undefined
    if (this.#isStopping) return
    run.onReplaced?.()
    const change = this.#pendingChange
    this.#pendingChange = undefined
    if (change !== undefined && !this.#next) this.#begin(change)
    if (!isLost) return
    console.error(`nomen: The service ${signal ? `was terminated by ${signal}` : `ended with exit code ${code}`}.`)
    if (!this.#current) console.error('  It restarts when one of its files changes.')
  }
}

function nameOf(changed: Run['changed']): string {
  return changed === schema ? 'The database schema' : relative('.', changed ?? '')
}
