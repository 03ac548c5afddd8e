/** The place of one worker: who holds it now, and how long it stays empty when that one dies. */
import type { ChildProcess } from 'node:child_process'
import type { Worker } from 'node:cluster'
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ApplicationLog } from '@nomen/server'
import type { SupervisorMessage } from './supervisor-line.ts'

/** The pauses before a restart, and after how much life they begin anew, in milliseconds. */
const shortestPause = 100
const longestPause = 5000
const goodLife = 10_000

/** How a worker ended: one of the two, and neither where it could not even be started. */
export interface WorkerEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

interface Listener {
  onMessage(message: unknown): void
  /** Called once, after the last message. */
  onEnd(end: WorkerEnd): void
}

export class WorkerPost {
  isListening = false
  readonly number: number
  readonly #log: ApplicationLog
  #worker: Worker | undefined
  #pid: number | undefined
  #begun = 0
  #pause = shortestPause
  #restart: NodeJS.Timeout | undefined

  constructor(number: number, log: ApplicationLog) {
    this.#log = log
    this.number = number
  }

  get isManned(): boolean {
    return this.#worker !== undefined
  }

  /** How the worker, or the last one, is named to people. */
  get name(): string {
    return `Worker ${this.number} (process ${this.#pid ?? 'not started'})`
  }

  /** What the worker prints. */
  get output(): Readable | null | undefined {
    return this.#worker?.process.stdout
  }

  start(worker: Worker, { onMessage, onEnd }: Listener): void {
    const child = worker.process
    this.#worker = worker
    this.#pid = child.pid
    this.#begun = performance.now()
    const dropConnection = rememberConnection(worker)
    const end = () => {
      dropConnection()
      this.#worker = undefined
      this.isListening = false
      onEnd({ code: child.exitCode, signal: child.signalCode })
    }
    child.once('exit', async () => {
      await lastMessage(child)
      end()
    })
    worker.on('message', onMessage)
    worker.on('error', (error) => {
      this.#log.error(`${this.name} cannot be talked to.`, { error })
      if (child.pid === undefined) end()
    })
  }

  /** Starts again after a pause, and gives its length: each is twice the last, unless the worker has lived for a while. */
  restartAfterPause(start: () => void): number {
    if (performance.now() - this.#begun > goodLife) this.#pause = shortestPause
    const pause = this.#pause
    this.#pause = Math.min(pause * 2, longestPause)
    this.#restart = setTimeout(start, pause)
    return pause
  }

  send(message: SupervisorMessage): void {
    // One that is going away needs no answer.
    if (this.#worker?.isConnected()) this.#worker.process.send(message, () => {})
  }

  /** Requests under way are finished; one that is still starting ends at once. */
  stop(): void {
    clearTimeout(this.#restart)
    this.kill('SIGTERM')
  }

  kill(signal: NodeJS.Signals): void {
    this.#worker?.process.kill(signal)
  }
}

/** The end of a process may be known before its last message is read; some turns later everything has been. */
async function lastMessage(child: ChildProcess): Promise<void> {
  for (let turn = 0; turn < 100 && child.connected; turn++) await nextTurn()
  await nextTurn()
}

/**
 * Node hands a worker one connection at a time, and forgets the one that it was handing over when the worker died: its
 * client would wait for ever. What this gives closes it; where it was taken, it is closed here already.
 */
function rememberConnection({ process: child }: Worker): () => void {
  const send = child.send
  let last: { close?: () => void } | undefined
  child.send = ((...given: Parameters<typeof send>) => {
    if (given[1]) last = given[1] as typeof last
    return send.apply(child, given)
  }) as typeof send
  return () => last?.close?.()
}
