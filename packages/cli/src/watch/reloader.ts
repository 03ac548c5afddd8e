/** Serves while a service is being written: each change is served by a new process, and a faulty one by none. */
import cluster from 'node:cluster'
import { relative } from 'node:path'
import type { ApplicationLog } from '@nomen/server'
import { onHangUp } from '../process/hang-up.ts'
import { type FreePort, holdFreePort } from '../workers/free-port.ts'
import { isReport, type Report } from '../workers/report.ts'
import { type WorkerEnd, WorkerPost } from '../workers/worker-post.ts'
import { FileWatch } from './file-watch.ts'

export interface WatchSettings {
  /** What the command was called with. */
  readonly given: readonly string[]
  readonly host: string
  readonly port: number
  readonly log: ApplicationLog
}

/** Serves, and serves anew when a file changes that the service is made of. It ends when it is told to stop. */
export async function serveAndReload(settings: WatchSettings): Promise<void> {
  const reloader = new Reloader(settings)
  process.on('SIGTERM', () => reloader.stop())
  process.on('SIGINT', () => reloader.stop())
  onHangUp(() => reloader.stop())
  await reloader.start()
}

/** One process, from its start to its end. */
interface Turn {
  readonly post: WorkerPost
  /** Why it was started; undefined for the first. */
  readonly changed: string | undefined
  hasFailed: boolean
  /** What is to be done when it has ended because another has taken its place. */
  whenReplaced?: () => void
}

class Reloader {
  readonly #settings: WatchSettings
  readonly #watch = new FileWatch((file) => this.#onChange(file))
  #freePort: FreePort | undefined
  #numberOfTurns = 0
  /** The one that serves, the one that is about to, and the change that came meanwhile. */
  #current: Turn | undefined
  #next: Turn | undefined
  #waiting: string | undefined
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

  /** The first time, requests under way are finished; the second time nobody waits. */
  stop(): void {
    const posts = [this.#current, this.#next].flatMap((turn) => turn?.post ?? [])
    if (this.#isStopping) {
      for (const post of posts) post.kill('SIGKILL')
      process.exit(1)
    }
    this.#isStopping = true
    this.#watch.close()
    this.#freePort?.release()
    for (const post of posts) post.stop()
  }

  #onChange(file: string): void {
    if (this.#isStopping) return
    if (!this.#next) {
      this.#begin(file)
      return
    }
    // What it is loading is out of date already.
    this.#waiting = file
    this.#next.post.kill('SIGTERM')
  }

  #begin(changed: string | undefined): void {
    const { given, port } = this.#settings
    cluster.setupPrimary({
      args: [...given, `--port=${this.#freePort?.number ?? port}`],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const turn: Turn = { post: new WorkerPost(++this.#numberOfTurns, this.#settings.log), changed, hasFailed: false }
    this.#next = turn
    this.#watch.isWide = false
    turn.post.start(cluster.fork(), {
      onMessage: (message) => {
        if (isReport(message)) this.#hear(turn, message)
      },
      onEnd: (end) => this.#onEnd(turn, end),
    })
  }

  #hear(turn: Turn, report: Report): void {
    if (this.#isStopping) return
    if (report.kind === 'loaded') this.#watch.add(report.files)
    else if (report.kind === 'opened') this.#freePort?.release()
    else if (report.kind === 'listening') this.#onListening(turn, report.welcome)
    else if (report.kind === 'failed') this.#onFailure(turn, report)
  }

  #onListening(turn: Turn, welcome: string): void {
    const before = this.#current
    this.#current = turn
    this.#next = undefined
    const tell = () => {
      if (!this.#hasWelcomed) console.log(`${welcome}\nIt is served anew when one of its files changes.`)
      else console.log(`nomen: ${relative('.', turn.changed ?? '')} has changed, and is served.`)
      this.#hasWelcomed = true
    }
    // Only when it has ended does nobody meet the one of before any more.
    if (before) before.whenReplaced = tell
    else tell()
    before?.post.stop()
  }

  #onFailure(turn: Turn, { text, exitCode, isOfFiles }: Extract<Report, { kind: 'failed' }>): void {
    turn.hasFailed = true
    if (this.#waiting !== undefined) return
    this.#watch.isWide = true
    console.error(text)
    if (this.#current) console.error('  What was served before goes on being served.')
    else if (isOfFiles) console.error('  It is served as soon as that is fixed.')
    else this.#giveUp(exitCode)
  }

  /** Nothing is served, and no change of a file would help. */
  #giveUp(exitCode: number): void {
    process.exitCode = exitCode
    this.#isStopping = true
    this.#watch.close()
  }

  #onEnd(turn: Turn, { code, signal }: WorkerEnd): void {
    const isLost = turn === this.#current || (turn === this.#next && !turn.hasFailed && this.#waiting === undefined)
    if (turn === this.#current) this.#current = undefined
    if (turn === this.#next) this.#next = undefined
    if (this.#isStopping) return
    turn.whenReplaced?.()
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting !== undefined && !this.#next) this.#begin(waiting)
    if (!isLost) return
    console.error(`nomen: The service ${signal ? `was ended by ${signal}` : `ended with exit code ${code}`}.`)
    if (!this.#current) console.error('  It is served again when one of its files changes.')
  }
}
