/** Runs several worker processes on one port: starts them, restarts them when they crash, and shuts them down. */

import cluster from 'node:cluster'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ApplicationLog, MetricFamily, RateLimit } from '@nomen/server'
import { Buckets, listenWhileStarting } from '@nomen/server/internal'
import type { ShipOptions, ShipWorker } from '@nomen/server/ship'
import { type Failure, failureOf } from '../output/failure.ts'
import { explainListenError } from '../process/listen-error.ts'
import { onStopRequest } from '../process/stop-request.ts'
import { MetricsRounds } from './metrics-round.ts'
import { Relay } from './relay.ts'
import { isReport, type ListeningReport, type Report } from './report.ts'
import type { SupervisorMessage } from './supervisor-channel.ts'
import { type WorkerEnd, WorkerSlot } from './worker-slot.ts'

/** The file descriptor. */
const standardOutput = 1

/** The maximum time for workers to stop: longer than a service waits for its open requests. */
const stopTimeoutMs = 15_000

export interface SupervisorOptions {
  readonly processes: number
  readonly log: ApplicationLog
  readonly rateLimit?: RateLimit | undefined
  /** How long a service keeps serving after a stop signal, in milliseconds. */
  readonly stopDelayMs?: number | undefined
  /** The arguments of the command. */
  readonly args: readonly string[]
  readonly host: string
  /** Port 0 selects a free port, the same for all workers. */
  readonly port: number
}

/** Starts the workers and returns. The process ends when the last worker has ended. */
export async function supervise(options: SupervisorOptions): Promise<void> {
  const supervisor = new Supervisor(options)
  onStopRequest(() => supervisor.stop())
  await supervisor.start()
}

class Supervisor {
  readonly #options: SupervisorOptions
  readonly #slots: readonly WorkerSlot[]
  readonly #relay = new Relay(standardOutput, (error) =>
    this.#options.log.error({ err: error }, 'Standard output cannot be written.'),
  )
  readonly #metrics: MetricsRounds
  readonly #buckets: Buckets | undefined
  /** Responds on the port until the first worker is open. */
  #startingServer: Server | undefined
  #port = 0
  #hasListened = false
  #hasWelcomed = false
  #isStopping = false
  #lastFailure: string | undefined
  /** Ships the access log of all workers. */
  #shipping: Promise<ShipWorker | undefined> | undefined

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#slots = Array.from({ length: options.processes }, (_, index) => new WorkerSlot(index + 1, options.log))
    this.#metrics = new MetricsRounds(this.#slots)
    this.#buckets = options.rateLimit && new Buckets(options.rateLimit)
    // Always round-robin: the operating system may give nearly all connections to one process.
    cluster.schedulingPolicy = cluster.SCHED_RR
  }

  /** Starts one worker, which migrates the schema and loads the sample data. The others start when it listens. */
  async start(): Promise<void> {
    const { port, host } = this.#options
    this.#startingServer = await explainListenError(() => listenWhileStarting(port, host), port, host)
    // A restarted worker must get the same port, even if port 0 selected it and all others have died.
    this.#port = (this.#startingServer.address() as AddressInfo).port
    const [first] = this.#slots
    if (first && !this.#isStopping) this.#startAt(first)
    else this.#endStarting()
  }

  /** The first call waits for open requests; the second one kills the workers. */
  stop(): void {
    if (this.#isStopping) {
      for (const slot of this.#slots) slot.kill('SIGKILL')
      process.exit(1)
    }
    this.#shutDown()
  }

  #shutDown(): void {
    this.#isStopping = true
    this.#endStarting()
    for (const slot of this.#slots) slot.stop()
    const timeoutMs = stopTimeoutMs + (this.#options.stopDelayMs ?? 0)
    setTimeout(() => {
      for (const slot of this.#slots) {
        if (!slot.isRunning) continue
        this.#options.log.error({}, `${slot.name} did not stop within ${timeoutMs / 1000} s, and is killed.`)
        process.exitCode = 1
        slot.kill('SIGKILL')
      }
    }, timeoutMs).unref()
  }

  /** Frees the port, so that the first worker can listen on it. */
  #endStarting(): void {
    this.#startingServer?.close()
    this.#startingServer = undefined
  }

  #startAt(slot: WorkerSlot): void {
    cluster.setupPrimary({
      args: [...this.#options.args, `--port=${this.#port}`],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    slot.start(cluster.fork(), {
      onMessage: (message) => {
        if (isReport(message)) this.#onReport(slot, message)
      },
      onEnd: (end) => this.#onEnd(slot, end),
    })
    if (slot.output) void this.#relay.forward(slot.output)
  }

  #onReport(slot: WorkerSlot, report: Report): void {
    if (report.kind === 'failed') this.#onFailure(report)
    else if (report.kind === 'opened') this.#endStarting()
    else if (report.kind === 'listening') this.#onListening(slot, report)
    else if (report.kind === 'metrics') this.#metrics.receive(slot, report.round, report.families)
    else if (report.kind === 'request') void this.#respond(slot, report)
  }

  async #respond(slot: WorkerSlot, { id, request }: Extract<Report, { kind: 'request' }>): Promise<void> {
    const isForMetrics = request.for === 'metrics'
    try {
      const result = isForMetrics ? await this.#gatherMetrics() : await this.#buckets?.take(request.requests)
      slot.send({ kind: 'response', id, result } satisfies SupervisorMessage)
    } catch (error) {
      this.#options.log.error({ err: error }, `A request of ${slot.name} for ${request.for} failed.`)
    }
  }

  #onListening(slot: WorkerSlot, { welcome, ship }: ListeningReport): void {
    const isFirst = !this.#hasListened
    slot.isListening = true
    this.#hasListened = true
    // An error that returns later is printed again.
    this.#lastFailure = undefined
    if (this.#isStopping) return
    if (ship) this.#shipping ??= this.#startShipping(ship)
    if (isFirst) for (const other of this.#slots) if (other !== slot) this.#startAt(other)
    if (this.#hasWelcomed || !this.#slots.every(({ isListening }) => isListening)) return
    this.#hasWelcomed = true
    console.log(welcome)
  }

  /** An error during the first start stops all workers. Later errors may be temporary, so that the worker restarts. */
  #onFailure({ text, exitCode }: Failure): void {
    if (this.#isStopping) return
    if (text !== this.#lastFailure) console.error(text)
    this.#lastFailure = text
    if (this.#hasWelcomed) return
    process.exitCode = exitCode
    this.#shutDown()
  }

  #onEnd(slot: WorkerSlot, { code, signal }: WorkerEnd): void {
    // After the last worker, the access log is complete.
    if (this.#isStopping && this.#slots.every(({ isRunning }) => !isRunning)) void this.#finishShipping()
    if (this.#isStopping) return
    const endText = signal ? `was terminated by ${signal}` : `ended with exit code ${code}`
    if (!this.#hasListened) {
      this.#endStarting()
      // The first worker ended without a report: exit in the same way.
      if (signal) console.error(`nomen: ${slot.name} ${endText} before it was ready.`)
      process.exitCode = code ?? 1
      return
    }
    const pauseMs = slot.restartAfterPause(() => this.#startAt(slot))
    this.#options.log.error({}, `${slot.name} ${endText}. It restarts in ${pauseMs} ms.`)
  }

  /** The metrics of all workers, and of the shipping in this process. */
  async #gatherMetrics(): Promise<readonly MetricFamily[]> {
    const ofWorkers = await this.#metrics.gather()
    const shipping = await this.#shipping
    if (!shipping) return ofWorkers
    const { shipFamilies } = await import('@nomen/server/ship')
    return [...ofWorkers, ...shipFamilies(shipping.figures())]
  }

  async #startShipping(options: ShipOptions): Promise<ShipWorker | undefined> {
    try {
      const { ShipWorker } = await import('@nomen/server/ship')
      return new ShipWorker(options, console.error)
    } catch (error) {
      this.#onFailure(failureOf(error))
      return undefined
    }
  }

  async #finishShipping(): Promise<void> {
    try {
      const shipping = await this.#shipping
      await shipping?.stop()
    } catch (error) {
      this.#options.log.error({ err: error }, 'The last lines of the access log were not shipped.')
    }
  }
}
