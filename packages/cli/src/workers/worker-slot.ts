/** One slot of the supervisor: its current worker process, and the pause before a restart. */
import type { ChildProcess } from 'node:child_process'
import type { Worker } from 'node:cluster'
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ApplicationLog } from '@nomen/server'
import type { SupervisorMessage } from './supervisor-channel.ts'

/** The pause before a restart doubles up to the maximum. After this uptime, it starts at the minimum again. */
const minPauseMs = 100
const maxPauseMs = 5000
const stableUptimeMs = 10_000

/** How a worker ended: an exit code or a signal, or neither if it could not be started. */
export interface WorkerEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

interface Listener {
  onMessage(message: unknown): void
  /** Called once, after the last message. */
  onEnd(end: WorkerEnd): void
}

export class WorkerSlot {
  isListening = false
  readonly number: number
  readonly #log: ApplicationLog
  #worker: Worker | undefined
  #pid: number | undefined
  #startedAt = 0
  #pauseMs = minPauseMs
  #restart: NodeJS.Timeout | undefined

  constructor(number: number, log: ApplicationLog) {
    this.#log = log
    this.number = number
  }

  get isRunning(): boolean {
    return this.#worker !== undefined
  }

  /** The name of the current or last worker, for messages. */
  get name(): string {
    return `Worker ${this.number} (process ${this.#pid ?? 'not started'})`
  }

  /** Standard output of the worker. */
  get output(): Readable | null | undefined {
    return this.#worker?.process.stdout
  }

  start(worker: Worker, { onMessage, onEnd }: Listener): void {
    const child = worker.process
    this.#worker = worker
    this.#pid = child.pid
    this.#startedAt = performance.now()
    const dropConnection = trackConnection(worker)
    const end = () => {
      dropConnection()
      this.#worker = undefined
      this.isListening = false
      onEnd({ code: child.exitCode, signal: child.signalCode })
    }
    child.once('exit', async () => {
      await waitForLastMessage(child)
      end()
    })
    worker.on('message', onMessage)
    worker.on('error', (error) => {
      this.#log.error({ err: error }, `The connection to ${this.name} failed.`)
      if (child.pid === undefined) end()
    })
  }

  /** Restarts the worker with exponential backoff. Returns the pause in milliseconds. */
  restartAfterPause(start: () => void): number {
    if (performance.now() - this.#startedAt > stableUptimeMs) this.#pauseMs = minPauseMs
    const pauseMs = this.#pauseMs
    this.#pauseMs = Math.min(pauseMs * 2, maxPauseMs)
    this.#restart = setTimeout(start, pauseMs)
    return pauseMs
  }

  send(message: SupervisorMessage): void {
    // A worker that has disconnected needs no message.
    if (this.#worker?.isConnected()) this.#worker.process.send(message, () => {})
  }

  /** Lets the worker finish open requests. A worker that is starting exits at once. */
  stop(): void {
    clearTimeout(this.#restart)
    // On Windows, a signal would end the worker at once. A worker that is disconnected stops gracefully, too.
    if (process.platform === 'win32') this.#worker?.disconnect()
    else this.kill('SIGTERM')
  }

  kill(signal: NodeJS.Signals): void {
    this.#worker?.process.kill(signal)
  }
}

/** The exit event may arrive before the last message. Waits some turns of the event loop, until all messages are read. */
async function waitForLastMessage(child: ChildProcess): Promise<void> {
  for (let turn = 0; turn < 100 && child.connected; turn++) await nextTurn()
  await nextTurn()
}

/**
 * Node sends connections to a worker one at a time, and does not close the one in transfer if the worker dies: its client
 * would wait for ever. The returned function closes that connection. It has no effect if the worker has accepted it.
 */
function trackConnection({ process: child }: Worker): () => void {
  const send = child.send
  let lastConnection: { close?: () => void } | undefined
  child.send = ((...args: Parameters<typeof send>) => {
    if (args[1]) lastConnection = args[1] as typeof lastConnection
    return send.apply(child, args)
  }) as typeof send
  return () => lastConnection?.close?.()
}
