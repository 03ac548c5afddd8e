/**
 * The turnstile that every request passes before it is worked on: when there are more than can be served in one turn of
 * the event loop, they wait in a line, so that connections are looked at in between; when the line is too long, those
 * who come are refused (docs/decisions/load-shedding.md).
 */
import { problem } from '@nomen/core'
import { type Answer, problemAnswer } from '../../message/answer.ts'
import type { MetricRegistry } from '../../observe/metrics/registry.ts'
import type { StoreLoad } from '../../store/store.ts'

/** For how long requests may keep the event loop busy before it looks at its connections again, in milliseconds. */
const sliceMs = 20

/**
 * The same for the writes at the end of a turn: more, since the commit behind them takes as long for few as for many, and
 * so does the wait for another process that writes.
 */
const writeSlice = 100

interface Waiting {
  readonly since: number
  readonly work: () => void
}

export class LoadShedder {
  readonly #limit: number
  readonly #store: StoreLoad
  readonly #onRefusal: (waitingFor: Cause) => void
  readonly #refused = { turn: 0, database: 0 }
  #line: Waiting[] = []
  /** How many at the beginning of the line have had their turn. */
  #served = 0
  /** When the work of this turn began; undefined before it. */
  #began: number | undefined
  /** How many of the line were served in the last turn. */
  #inTurn = 0
  /** What one of the line took of late, from turn to turn, in milliseconds; 0 before that is known. */
  #usualTime = 0
  readonly #endTurn = () => {
    if (this.#line.length > 0) return this.#serveLine()
    this.#began = undefined
    this.#inTurn = 0
    this.#usualTime = 0
  }

  /**
   * Who would wait for longer than the limit is refused, in milliseconds; nobody where it is 0.
   * `onRefusal` is told what they wait for.
   */
  constructor(limit: number, store: StoreLoad, registry: MetricRegistry, onRefusal: (waitingFor: Cause) => void) {
    this.#onRefusal = onRefusal
    this.#limit = limit === 0 ? Number.POSITIVE_INFINITY : limit
    this.#store = store
    registry.addValue('nomen_http_waiting_requests', 'Requests that wait for their turn.', 'gauge', () => this.#length)
    registry.addValue('nomen_http_wait_seconds', 'How long the one has waited that waits longest.', 'gauge', () => {
      return this.#wait(performance.now()) / 1000
    })
    registry.add('nomen_http_shed_requests_total', 'Requests refused because too many waited.', 'counter', () =>
      Object.entries(this.#refused).map(([waiting_for, value]) => ({ labels: { waiting_for }, value })),
    )
  }

  /** A request has come straight from its connection. */
  onRequest(): void {
    this.#store.arrive?.()
  }

  /** The answer to a request that would have to wait too long, before anything of its body is read. */
  refusal(method: string | undefined): Answer | undefined {
    const length = this.#length
    if (length > 0 && Math.max(length * this.#usualTime, this.#wait(performance.now())) > this.#limit) {
      return this.#refuse('turn')
    }
    const isWrite = method !== 'GET' && method !== 'HEAD'
    return this.#store.wait(isWrite) > this.#limit ? this.#refuse('database') : undefined
  }

  #refuse(waitingFor: Cause): Answer {
    this.#refused[waitingFor]++
    this.#onRefusal(waitingFor)
    return refusals[waitingFor]
  }

  /**
   * Does the work at once and gives true, or does it when those who came before had their turn. It must not throw.
   */
  schedule(work: () => void): boolean {
    const now = performance.now()
    if (this.#began === undefined) {
      this.#began = now
      setImmediate(this.#endTurn)
    }
    const isTurn = this.#length === 0 && this.#isFree(now, this.#began)
    if (isTurn) work()
    else this.#line.push({ since: now, work })
    return isTurn
  }

  #isFree(now: number, began: number): boolean {
    return now - began < sliceMs && this.#store.backlog < writeSlice
  }

  #serveLine(): void {
    const began = performance.now()
    this.#takeTime(began)
    this.#began = began
    this.#inTurn = 0
    // At least one: there may be writes that wait for another process.
    do {
      const { work } = this.#line[this.#served++] as Waiting
      this.#inTurn++
      work()
    } while (this.#length > 0 && this.#isFree(performance.now(), began))
    // Of a turn that could have served more, nobody knows how many.
    if (this.#length === 0) this.#inTurn = 0
    this.#forgetServed()
    setImmediate(this.#endTurn)
  }

  /**
   * All that a turn takes counts, with what is written and who is refused in it. The first requests of a process take
   * much longer than others, so nothing is made of those before the line.
   */
  #takeTime(now: number): void {
    if (this.#inTurn === 0 || this.#began === undefined) {
      this.#usualTime = 0
      return
    }
    const each = (now - this.#began) / this.#inTurn
    this.#usualTime = this.#usualTime === 0 ? each : this.#usualTime + (each - this.#usualTime) / 4
  }

  /** To take each from the beginning of a long list would move all others. */
  #forgetServed(): void {
    if (this.#served < this.#line.length && this.#served < 1000) return
    this.#line = this.#line.slice(this.#served)
    this.#served = 0
  }

  get #length(): number {
    return this.#line.length - this.#served
  }

  #wait(now: number): number {
    const first = this.#line[this.#served]
    return first ? now - first.since : 0
  }
}

const refusals = {
  turn: refusalFor('More requests wait than can be answered in time.'),
  database: refusalFor('More requests wait for the database than it can answer in time.'),
}

/** What those wait for because of whom others are refused. */
type Cause = keyof typeof refusals

function refusalFor(detail: string): Answer {
  const document = problem('overloaded', { detail, hint: 'Nothing was done. Try again after the time in Retry-After.' })
  return problemAnswer(document, { 'retry-after': '1' })
}
