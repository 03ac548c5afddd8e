/** Keeps several processes serving on one port: starts them, starts them again when they die, and stops them in order. */

import cluster from 'node:cluster'
import type { ApplicationLog, MetricFamily, RateLimit } from '@nomen/server'
import { Buckets } from '@nomen/server/internal'
import type { ShipOptions, ShipWorker } from '@nomen/server/ship'
import { onHangUp } from '../process/hang-up.ts'
import { type FreePort, holdFreePort } from './free-port.ts'
import { MetricsRounds } from './metrics-round.ts'
import { Relay } from './relay.ts'
import { isReport, type Listening, type Report } from './report.ts'
import type { SupervisorMessage } from './supervisor-line.ts'
import { type WorkerEnd, WorkerPost } from './worker-post.ts'

/** How long workers may take to stop. It is more than a service itself waits for its requests. */
const stopPatience = 15_000

export interface Crew {
  readonly processes: number
  readonly log: ApplicationLog
  readonly rateLimit?: RateLimit | undefined
  /** For how long a service that is told to stop goes on serving, in milliseconds. */
  readonly stopDelay?: number | undefined
  /** What the command was called with. */
  readonly given: readonly string[]
  readonly host: string
  /** Port 0 takes a free one, the same for all. */
  readonly port: number
}

/** Serves with several processes. It does not wait for them: this process ends when the last of them has. */
export async function supervise(crew: Crew): Promise<void> {
  const supervisor = new Supervisor(crew)
  process.on('SIGTERM', () => supervisor.stop())
  process.on('SIGINT', () => supervisor.stop())
  onHangUp(() => supervisor.stop())
  await supervisor.start()
}

class Supervisor {
  readonly #crew: Crew
  readonly #posts: readonly WorkerPost[]
  readonly #relay = new Relay(1, (error) => this.#crew.log.error('Standard output cannot be written.', { error }))
  readonly #metrics: MetricsRounds
  readonly #buckets: Buckets | undefined
  #freePort: FreePort | undefined
  #hasListened = false
  #hasWelcomed = false
  #isStopping = false
  #lastFailure: string | undefined
  /** Ships the access log that all of them write. */
  #shipping: Promise<ShipWorker> | undefined

  constructor(crew: Crew) {
    this.#crew = crew
    this.#posts = Array.from({ length: crew.processes }, (_, index) => new WorkerPost(index + 1, crew.log))
    this.#metrics = new MetricsRounds(this.#posts)
    this.#buckets = crew.rateLimit && new Buckets(crew.rateLimit)
    // In turn, whatever the environment says: where the system chooses, one process may get nearly all connections.
    cluster.schedulingPolicy = cluster.SCHED_RR
  }

  /** One goes first: it changes the schema, loads the sample and finds what is wrong. The others follow when it listens. */
  async start(): Promise<void> {
    const { port, host } = this.#crew
    // Only a port with a number is the same for one who comes when all others have died.
    if (port === 0) this.#freePort = await holdFreePort(host)
    const [first] = this.#posts
    if (first && !this.#isStopping) this.#startAt(first)
  }

  /** The first time, requests under way are finished; the second time nobody waits. */
  stop(): void {
    if (this.#isStopping) {
      for (const post of this.#posts) post.kill('SIGKILL')
      process.exit(1)
    }
    this.#stopInOrder()
  }

  #stopInOrder(): void {
    this.#isStopping = true
    this.#freePort?.release()
    for (const post of this.#posts) post.stop()
    const patience = stopPatience + (this.#crew.stopDelay ?? 0)
    setTimeout(() => {
      for (const post of this.#posts) {
        if (!post.isManned) continue
        this.#crew.log.error(`${post.name} did not stop within ${patience / 1000} s, and is killed.`)
        process.exitCode = 1
        post.kill('SIGKILL')
      }
    }, patience).unref()
  }

  #startAt(post: WorkerPost): void {
    const { given, port } = this.#crew
    cluster.setupPrimary({
      args: [...given, `--port=${this.#freePort?.number ?? port}`],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    post.start(cluster.fork(), {
      onMessage: (message) => {
        if (isReport(message)) this.#hear(post, message)
      },
      onEnd: (end) => this.#onEnd(post, end),
    })
    if (post.output) void this.#relay.take(post.output)
  }

  #hear(post: WorkerPost, report: Report): void {
    if (report.kind === 'failed') this.#onFailure(report)
    else if (report.kind === 'opened') this.#freePort?.release()
    else if (report.kind === 'listening') this.#onListening(post, report)
    else if (report.kind === 'metrics') this.#metrics.hear(post, report.round, report.families)
    else if (report.kind === 'asked') void this.#answer(post, report)
  }

  async #answer(post: WorkerPost, { asked, question }: Extract<Report, { kind: 'asked' }>): Promise<void> {
    const answer = question.of === 'metrics' ? await this.#gatherMetrics() : await this.#buckets?.take(question.wishes)
    post.send({ kind: 'answer', asked, answer } satisfies SupervisorMessage)
  }

  #onListening(post: WorkerPost, { welcome, ship }: Listening): void {
    const isFirst = !this.#hasListened
    post.isListening = true
    this.#hasListened = true
    if (this.#isStopping) return
    if (ship) this.#shipping ??= startShipping(ship)
    if (isFirst) for (const other of this.#posts) if (other !== post) this.#startAt(other)
    if (this.#hasWelcomed || !this.#posts.every(({ isListening }) => isListening)) return
    this.#hasWelcomed = true
    console.log(welcome)
  }

  /** Before all have listened once, what stops one stops all; later on, it may be over by the next try. */
  #onFailure({ text, exitCode }: Extract<Report, { kind: 'failed' }>): void {
    if (this.#isStopping) return
    if (text !== this.#lastFailure) console.error(text)
    this.#lastFailure = text
    if (this.#hasWelcomed) return
    process.exitCode = exitCode
    this.#stopInOrder()
  }

  #onEnd(post: WorkerPost, { code, signal }: WorkerEnd): void {
    // when the last of them has ended, the log is written no more
    if (this.#isStopping && this.#posts.every(({ isManned }) => !isManned)) void this.#shipRest()
    if (this.#isStopping) return
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`
    if (!this.#hasListened) {
      // The first one ended before it served, without a word: so does this process, as if there were no other.
      if (signal) console.error(`nomen: ${post.name} ${how} before it listened.`)
      process.exitCode = code ?? 1
      return
    }
    const pause = post.restartAfterPause(() => this.#startAt(post))
    this.#crew.log.error(`${post.name} ${how}. It is started again in ${pause} ms.`)
  }

  /** Of all workers, and of what is done here for all of them. */
  async #gatherMetrics(): Promise<readonly MetricFamily[]> {
    const ofWorkers = await this.#metrics.gather()
    const shipping = await this.#shipping
    if (!shipping) return ofWorkers
    const { shipFamilies } = await import('@nomen/server/ship')
    return [...ofWorkers, ...shipFamilies(shipping.figures())]
  }

  async #shipRest(): Promise<void> {
    const shipping = await this.#shipping
    await shipping?.stop()
  }
}

/** Loaded where it is asked for only. */
async function startShipping(options: ShipOptions): Promise<ShipWorker> {
  const { ShipWorker } = await import('@nomen/server/ship')
  return new ShipWorker(options, console.error)
}
