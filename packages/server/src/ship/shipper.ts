/** Ships a log: takes lines from its tail, sends them until they are acknowledged, and remembers how far it is. */
import { setTimeout as pause } from 'node:timers/promises'
import { parseLine } from '@nomen/core'
import { type BackoffOptions, backoff, usualBackoff } from './backoff.ts'
import { type Batch, type BatchLimit, type LogLine, usualLimit } from './batch.ts'
import type { Destination, Trouble } from './destination/destination.ts'
import { Notices } from './notices.ts'
import type { Tail } from './tail/tail.ts'

/** What is told of shipping at any moment. */
export interface ShipFigures {
  /** Bytes of the log that are not acknowledged yet. */
  readonly lagBytes: number
  /** How old the oldest of these lines is. */
  readonly lagSeconds: number
  /** Lines since the start: acknowledged, sent once more, refused for ever by the destination. */
  readonly sent: number
  readonly retried: number
  readonly rejected: number
}

export interface ShipPace {
  readonly limit?: BatchLimit
  readonly backoff?: BackoffOptions
  /** How long lines may wait for others to be sent with, in milliseconds. */
  readonly linger?: number
}

export interface ShipperOptions extends ShipPace {
  readonly tail: Tail
  readonly destination: Destination
  /** Told in words of what goes wrong, once, and when it is right again. */
  readonly onNotice: (message: string) => void
}

/** How long whoever ends waits for an answer that is under way, in milliseconds. */
const lastPatience = 5000

/** After so many portions without trouble, larger ones are tried again. */
const easyAfter = 16

export class Shipper {
  readonly #options: ShipperOptions
  readonly #limit: BatchLimit
  readonly #notices: Notices
  readonly #stop = new AbortController()
  /** Ends what is under way. */
  readonly #cut = new AbortController()
  #running: Promise<boolean> | undefined
  #sent = 0
  #retried = 0
  #rejected = 0
  /** When the oldest line under way was written. */
  #oldest: number | undefined
  /** How many lines are sent at once: fewer after the destination could not take more. */
  #portion = Number.POSITIVE_INFINITY
  #easy = 0

  constructor(options: ShipperOptions) {
    this.#options = options
    this.#limit = options.limit ?? usualLimit
    this.#notices = new Notices(options.destination.shown, options.onNotice)
  }

  figures(): ShipFigures {
    const { lagBytes } = this.#options.tail
    const lag = this.#oldest === undefined ? 0 : Math.max(0, (Date.now() - this.#oldest) / 1000)
    return { lagBytes, lagSeconds: lag, sent: this.#sent, retried: this.#retried, rejected: this.#rejected }
  }

  /** Ships until `stop`. */
  start(): void {
    this.#running ??= this.#run(false, Number.POSITIVE_INFINITY)
  }

  /**
   * Ships what is there, and gives whether all of it arrived. It gives up when nothing arrived for so many milliseconds, or
   * when the destination refuses.
   */
  once(within: number): Promise<boolean> {
    this.#running ??= this.#run(true, within)
    return this.#running
  }

  /**
   * Ends when what is under way is answered. `isLast` says that the log is written no more: what is left of it is sent as well,
   * as far as that takes a few seconds and works at once.
   */
  async stop({ isLast = false } = {}): Promise<void> {
    const patience = setTimeout(() => this.#cut.abort(), lastPatience)
    this.#stop.abort()
    await this.#running
    if (isLast && !this.#cut.signal.aborted) await this.#shipRest()
    clearTimeout(patience)
    this.#options.tail.close()
    this.#options.destination.close()
  }

  get #isStopping(): boolean {
    return this.#stop.signal.aborted
  }

  async #run(isOnce: boolean, within: number): Promise<boolean> {
    while (!this.#isStopping) {
      const batch = await this.#next()
      if (!batch) {
        this.#oldest = undefined
        if (isOnce) return true
      } else if (!(await this.#ship(batch, within))) return false
      if (!batch?.isFull && !isOnce) await this.#wait(this.#options.linger ?? 1000)
    }
    return !isOnce
  }

  async #shipRest(): Promise<void> {
    for (let batch = await this.#next(); batch; batch = await this.#next()) if (!(await this.#ship(batch, 0))) return
  }

  async #next(): Promise<Batch | undefined> {
    try {
      return await this.#options.tail.next(this.#limit)
    } catch (error) {
      this.#notices.fault(`The log cannot be read: ${(error as Error).message}.`)
      return undefined
    }
  }

  /** Sends until everything is acknowledged; gives false where it was stopped, or `within` has passed in vain. */
  async #ship(batch: Batch, within: number): Promise<boolean> {
    this.#oldest = timeOf(batch.lines) ?? this.#oldest
    let left = batch.lines
    let failures = 0
    let worked = performance.now()
    while (left.length > 0) {
      const portion = left.slice(0, this.#portion)
      const {
        left: back,
        trouble,
        rejected,
        rejectReason,
      } = await this.#options.destination.send({ key: batch.position.key, lines: portion }, this.#cut.signal)
      this.#count(portion.length - back.length - rejected, rejected, rejectReason)
      if (back.length < portion.length) [failures, worked] = [0, performance.now()]
      left = [...back, ...left.slice(portion.length)]
      if (!trouble) continue
      left = this.#shrink(trouble, left, back.length)
      if (left.length === 0 || trouble.kind === 'too large') continue
      const isVain =
        trouble.kind === 'refused' ? within < Number.POSITIVE_INFINITY : performance.now() - worked >= within
      if (this.#isStopping) return false
      this.#notices.trouble(trouble)
      if (isVain) return false
      if (!(await this.#wait(backoff(trouble, ++failures, this.#options.backoff ?? usualBackoff)))) return false
      this.#retried += Math.min(back.length, this.#portion)
    }
    await this.#options.tail.acknowledge(batch)
    return true
  }

  #count(sent: number, rejected: number, reason: string | undefined): void {
    this.#sent += sent
    this.#rejected += rejected
    if (rejected > 0) this.#notices.rejected(rejected, reason ?? 'no reason was given')
    if (sent === 0) return
    this.#notices.works()
    this.#easy++
    if (this.#easy % easyAfter === 0) this.#portion *= 2
  }

  /** Fewer the next time; a single line that is too large will never be taken. */
  #shrink({ kind, reason }: Trouble, left: readonly LogLine[], tried: number): readonly LogLine[] {
    if (kind !== 'too large' && kind !== 'slow') return left
    this.#easy = 0
    this.#portion = Math.max(1, Math.ceil(tried / 2))
    if (kind === 'slow' || tried > 1) return left
    this.#count(0, 1, reason)
    return left.slice(1)
  }

  /** Gives false where it is to stop. */
  async #wait(time: number): Promise<boolean> {
    return pause(time, true, { signal: this.#stop.signal }).catch(() => false)
  }
}

function timeOf([first]: readonly LogLine[]): number | undefined {
  return first && parseLine(first.text)?.time
}
