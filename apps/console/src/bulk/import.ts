/** Creates a record for each row of a file, several at a time: each once, however often its answer is lost on the way. */
import type { BulkRow } from '../model/list/bulk-text.ts'
import { formOf } from '../model/record/form.ts'
import type { Json } from '../model/service/openapi.ts'
import { type Problem, problemOf } from '../model/service/problem.ts'
import type { Collection } from '../model/service/service.ts'
import type { Wire } from '../wire/wire.ts'
import { type Refused, rejectNames } from './reject-file.ts'

export interface Progress {
  readonly created: number
  readonly refused: readonly Refused[]
  readonly done: number
  readonly all: number
  /** The service has asked to wait. */
  readonly isWaiting: boolean
}

export interface ImportAsk {
  readonly writer: Collection
  readonly path: string
  readonly rows: readonly BulkRow[]
  /** A row is sent with the same key whenever this import goes on. */
  readonly key: string
}

/** So many requests are under way at once: as many as a browser has connections to one host. */
const together = 6

/** So often a row is sent before the import stops and asks; between two times it waits, in milliseconds. */
const mostTries = 5
const firstWait = 300
const longestWait = 60_000

/** One file on its way. What stops it, a person or a service that is away, leaves the rest for another run. */
export class Import {
  readonly #wire: Wire
  readonly #ask: ImportAsk
  readonly #left: ReadonlySet<string>
  /** The service knows a row again that it is sent twice. */
  readonly isKeyed: boolean
  #at = 0
  /** Rows that were taken and could not be sent. */
  readonly #again: BulkRow[] = []
  #created = 0
  readonly #refused: Refused[] = []
  #waiting = 0
  #stop = new AbortController()

  constructor(wire: Wire, ask: ImportAsk) {
    const { fields, operation } = formOf(ask.writer, 'create')
    const names = new Set(fields.map(({ name }) => name))
    this.#wire = wire
    this.#ask = ask
    this.isKeyed = operation?.parameters.some(({ name }) => name === 'Idempotency-Key') === true
    // What was exported has properties that only the service sets: they are left to it again.
    const shown = [...ask.writer.fields.map(({ name }) => name), ...rejectNames]
    this.#left = new Set(shown.filter((name) => !names.has(name)))
  }

  progress(): Progress {
    const created = this.#created
    const done = created + this.#refused.length
    return { created, refused: this.#refused, done, all: this.#ask.rows.length, isWaiting: this.#waiting > 0 }
  }

  get isDone(): boolean {
    return this.#again.length === 0 && this.#at >= this.#ask.rows.length
  }

  /** Takes no further rows; those that are under way are finished. */
  stop(): void {
    this.#stop.abort()
  }

  /** Goes on until all is done or it is stopped. Throws where it makes no sense to go on as things are. */
  async run(): Promise<void> {
    this.#stop = new AbortController()
    const { signal } = this.#stop
    const failed: unknown[] = []
    const work = async () => {
      while (!signal.aborted) {
        const row = this.#again.pop() ?? this.#ask.rows[this.#at++]
        if (!row) return
        try {
          await this.#take(row, signal)
        } catch (error) {
          this.#again.push(row)
          // What stopped it by itself is no failure.
          if (!signal.aborted) failed.push(error)
          this.stop()
        }
      }
    }
    await Promise.all(Array.from({ length: together }, work))
    this.#refused.sort((one, other) => one.row.line - other.row.line)
    if (failed.length > 0) throw failed[0]
  }

  async #take(row: BulkRow, signal: AbortSignal): Promise<void> {
    const reason = row.record ? await this.#create(row.line, row.record, signal) : row.fault
    if (reason === undefined) this.#created++
    else this.#refused.push({ row, reason })
  }

  /** Why it was refused; undefined where it is created. */
  async #create(line: number, record: Json, signal: AbortSignal): Promise<string | undefined> {
    const { writer, path, key } = this.#ask
    const body = Object.fromEntries(Object.entries(record).filter(([name]) => !this.#left.has(name)))
    const headers = this.isKeyed ? { 'idempotency-key': `${key}-${line}` } : {}
    for (let tries = 1; ; tries++) {
      try {
        await this.#wire.send({ base: writer.api.base, method: 'POST', path, body, headers })
        return undefined
      } catch (error) {
        const problem = problemOf(error)
        const { status } = problem
        const isLost = status === 0 || status === 503
        if (isLost && !this.isKeyed)
          return `${reasonOf(problem)} It may have been created all the same: look before you send it again.`
        // Whoever may not create one record may not create the next.
        if (status === 401 || status === 403) throw error
        if (!isLost && status !== 429) return reasonOf(problem)
        if (tries >= mostTries) throw error
        await this.#pause(problem, tries, signal)
      }
    }
  }

  async #pause({ retryAfter }: Problem, tries: number, signal: AbortSignal): Promise<void> {
    const own = firstWait * 2 ** (tries - 1) * (0.5 + Math.random() / 2)
    const time = Math.min(Math.max((retryAfter ?? 0) * 1000, own), longestWait)
    this.#waiting++
    try {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, time)
        const end = () => {
          clearTimeout(timer)
          reject(signal.reason)
        }
        if (signal.aborted) end()
        else signal.addEventListener('abort', end, { once: true })
      })
    } finally {
      this.#waiting--
    }
  }
}

function reasonOf({ detail, errors }: Problem): string {
  return [detail, ...errors.map((one) => `${one.pointer ?? ''} ${one.detail}`.trim())].join(' ')
}
