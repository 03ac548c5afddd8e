/** Ships a log: reads lines from its tail, sends them until they are acknowledged, and saves the position. */
import { setTimeout as pause } from 'node:timers/promises'
import { parseLine } from '@nomen/core'
import { type BackoffOptions, backoff, defaultBackoff } from './backoff.ts'
import { type Batch, type BatchLimit, defaultLimit, type LogLine } from './batch.ts'
import type { DeliveryFailure, Destination } from './destination/destination.ts'
import { Notices } from './notices.ts'
import type { Tail } from './tail/tail.ts'

/** The state of a log shipper: its lag and its counters. */
export interface ShipFigures {
  /** The number of bytes of the log that are not acknowledged yet. */
  readonly lagBytes: number
  /** The age of the oldest unacknowledged line, in seconds. */
  readonly lagSeconds: number
  /** Acknowledged lines since the start. */
  readonly sent: number
  /** Lines that were sent again. */
  readonly retried: number
  /** Lines that the destination rejected permanently. */
  readonly rejected: number
}

/** Batch size and retry timing of a log shipper. */
export interface ShipTuning {
  /** The maximum size of a batch. */
  readonly limit?: BatchLimit
  /** Waiting times after failures. */
  readonly backoff?: BackoffOptions
  /** How long lines may wait for a larger batch, in milliseconds. */
  readonly lingerMs?: number
}

export interface ShipperOptions extends ShipTuning {
  readonly tail: Tail
  readonly destination: Destination
  /** Called with a message when an outage starts, and when it ends. */
  readonly onNotice: (message: string) => void
}

/** How long `stop` waits for the current request. */
const stopTimeoutMs = 5000

/** After this number of successful portions, larger ones are tried again. */
const successesToGrow = 16

/** A log shipper, as `openShipper` returns it. */
export class Shipper {
  readonly #options: ShipperOptions
  readonly #limit: BatchLimit
  readonly #notices: Notices
  readonly #stop = new AbortController()
  /** Aborts the current request. */
  readonly #abort = new AbortController()
  #running: Promise<boolean> | undefined
  #sent = 0
  #retried = 0
  #rejected = 0
  /** When the oldest line of the current batch was written. */
  #oldestLineAt: number | undefined
  /** The maximum number of lines in a request, which is lowered if the destination cannot handle more. */
  #portion = Number.POSITIVE_INFINITY
  #successes = 0

  constructor(options: ShipperOptions) {
    this.#options = options
    this.#limit = options.limit ?? defaultLimit
    this.#notices = new Notices(options.destination.redactedUrl, options.onNotice)
  }

  figures(): ShipFigures {
    const { lagBytes } = this.#options.tail
    const lag = this.#oldestLineAt === undefined ? 0 : Math.max(0, (Date.now() - this.#oldestLineAt) / 1000)
    return { lagBytes, lagSeconds: lag, sent: this.#sent, retried: this.#retried, rejected: this.#rejected }
  }

  /** Ships until `stop`. */
  start(): void {
    this.#running ??= this.#run(false, Number.POSITIVE_INFINITY)
  }

  /**
   * Ships the existing lines, and returns whether all of them were acknowledged. It gives up if nothing was acknowledged for
   * `timeoutMs`, or if the destination rejects requests.
   */
  once(timeoutMs: number): Promise<boolean> {
    this.#running ??= this.#run(true, timeoutMs)
    return this.#running
  }

  /**
   * Stops after the current request. With `isLast`, the log will not grow, so the remaining lines are also sent, if that works
   * without a retry within a few seconds.
   */
  async stop({ isLast = false } = {}): Promise<void> {
    const timer = setTimeout(() => this.#abort.abort(), stopTimeoutMs)
    this.#stop.abort()
    await this.#running
    if (isLast && !this.#abort.signal.aborted) await this.#shipRemaining()
    clearTimeout(timer)
    this.#options.tail.close()
    this.#options.destination.close()
  }

  get #isStopping(): boolean {
    return this.#stop.signal.aborted
  }

  async #run(isOnce: boolean, timeoutMs: number): Promise<boolean> {
    while (!this.#isStopping) {
      const batch = await this.#next()
      if (!batch) {
        this.#oldestLineAt = undefined
        if (isOnce) return true
      } else if (!(await this.#ship(batch, timeoutMs))) return false
      if (!batch?.isFull && !isOnce) await this.#wait(this.#options.lingerMs ?? 1000)
    }
    return !isOnce
  }

  async #shipRemaining(): Promise<void> {
    for (let batch = await this.#next(); batch; batch = await this.#next()) if (!(await this.#ship(batch, 0))) return
  }

  async #next(): Promise<Batch | undefined> {
    try {
      return await this.#options.tail.next(this.#limit)
    } catch (error) {
      this.#notices.reportFault(`The log cannot be read: ${(error as Error).message}.`)
      return undefined
    }
  }

  /** Sends until the batch is acknowledged; returns false if it was stopped or timed out. */
  async #ship(batch: Batch, timeoutMs: number): Promise<boolean> {
    this.#oldestLineAt = timeOf(batch.lines) ?? this.#oldestLineAt
    let remaining = batch.lines
    let failures = 0
    let lastSuccessAt = performance.now()
    while (remaining.length > 0) {
      const portion = remaining.slice(0, this.#portion)
      const { unsent, failure, rejected, rejectReason } = await this.#options.destination.send(
        { key: batch.position.key, lines: portion },
        this.#abort.signal,
      )
      this.#count(portion.length - unsent.length - rejected, rejected, rejectReason)
      if (unsent.length < portion.length) [failures, lastSuccessAt] = [0, performance.now()]
      remaining = [...unsent, ...remaining.slice(portion.length)]
      if (!failure) continue
      remaining = this.#shrink(failure, remaining, unsent.length)
      if (remaining.length === 0 || failure.kind === 'too large') continue
      const isTimedOut =
        failure.kind === 'rejected'
          ? timeoutMs < Number.POSITIVE_INFINITY
          : performance.now() - lastSuccessAt >= timeoutMs
      if (this.#isStopping) return false
      this.#notices.reportOutage(failure)
      if (isTimedOut) return false
      if (!(await this.#wait(backoff(failure, ++failures, this.#options.backoff ?? defaultBackoff)))) return false
      this.#retried += Math.min(unsent.length, this.#portion)
    }
    await this.#options.tail.acknowledge(batch)
    return true
  }

  #count(sent: number, rejected: number, reason: string | undefined): void {
    this.#sent += sent
    this.#rejected += rejected
    if (rejected > 0) this.#notices.reportRejected(rejected, reason ?? 'no reason was given')
    if (sent === 0) return
    this.#notices.reportSuccess()
    this.#successes++
    if (this.#successes % successesToGrow === 0) this.#portion *= 2
  }

  /** Sends fewer lines the next time. A single line that is too large is counted as rejected. */
  #shrink(
    { kind, reason }: DeliveryFailure,
    remaining: readonly LogLine[],
    attemptedLines: number,
  ): readonly LogLine[] {
    if (kind !== 'too large' && kind !== 'slow') return remaining
    this.#successes = 0
    this.#portion = Math.max(1, Math.ceil(attemptedLines / 2))
    if (kind === 'slow' || attemptedLines > 1) return remaining
    this.#count(0, 1, reason)
    return remaining.slice(1)
  }

  /** Waits; returns false if the shipper is stopping. */
  async #wait(waitMs: number): Promise<boolean> {
    return pause(waitMs, true, { signal: this.#stop.signal }).catch(() => false)
  }
}

function timeOf([first]: readonly LogLine[]): number | undefined {
  return first && parseLine(first.text)?.time
}
