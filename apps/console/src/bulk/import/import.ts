/** Creates a record for each row of a file, several at a time, and each row once even if a response is lost. */

import type { HttpClient } from '../../http/http-client.ts'
import { recordFrom } from '../../http/response-body.ts'
import { text } from '../../language/language.ts'
import type { BulkRow } from '../../model/list/bulk-text.ts'
import { formOf } from '../../model/record/form.ts'
import type { Json } from '../../model/service/openapi.ts'
import { errorText, type Problem, problemOf } from '../../model/service/problem.ts'
import type { Collection } from '../../model/service/service.ts'
import type { ReferenceLabels } from './reference-labels.ts'
import type { Refused } from './reject-file.ts'

export interface Progress {
  readonly created: number
  readonly refused: readonly Refused[]
  readonly done: number
  readonly all: number
  /** The service has asked to retry later. */
  readonly isWaiting: boolean
}

export interface ImportOptions {
  readonly writeCollection: Collection
  readonly path: string
  /** Their fields are those of the form. */
  readonly rows: readonly BulkRow[]
  /** Each row keeps its key when the import is resumed. */
  readonly key: string
  /** Finds IDs for labels. */
  readonly labels?: ReferenceLabels
}

/** Concurrent requests: a browser opens this number of connections to one host. */
const concurrency = 6

/** Attempts for each row before the import stops, and the pauses between them. */
const maxAttempts = 5
const firstWaitMs = 300
const maxWaitMs = 60_000

/** The import of one file. After a stop, `run` resumes with the remaining rows. */
export class Import {
  readonly #http: HttpClient
  readonly #options: ImportOptions
  /** The service supports Idempotency-Key. */
  readonly isKeyed: boolean
  #nextIndex = 0
  /** Rows that could not be sent. */
  readonly #retryRows: BulkRow[] = []
  /** Rows that reference a record of the same file that is not created yet. */
  readonly #pending: Refused[] = []
  #created = 0
  readonly #refused: Refused[] = []
  #waitingRequests = 0
  #stop = new AbortController()

  constructor(http: HttpClient, options: ImportOptions) {
    const { operation } = formOf(options.writeCollection, 'create')
    this.#http = http
    this.#options = options
    this.isKeyed = operation?.parameters.some(({ name }) => name === 'Idempotency-Key') === true
  }

  progress(): Progress {
    const created = this.#created
    const done = created + this.#refused.length
    return {
      created,
      refused: this.#refused,
      done,
      all: this.#options.rows.length,
      isWaiting: this.#waitingRequests > 0,
    }
  }

  get isDone(): boolean {
    return this.#retryRows.length === 0 && this.#pending.length === 0 && this.#nextIndex >= this.#options.rows.length
  }

  /** Sends no further rows; requests under way finish. */
  stop(): void {
    this.#stop.abort()
  }

  /** Sends the remaining rows until all are done or `stop` is called. Throws if no further row can succeed. */
  async run(): Promise<void> {
    this.#stop = new AbortController()
    const { signal } = this.#stop
    // Their references may have been created before the import was stopped.
    this.#retryRows.push(...this.#takePending())
    const failed: unknown[] = []
    const work = async () => {
      while (!signal.aborted) {
        const row = this.#retryRows.pop() ?? this.#options.rows[this.#nextIndex++]
        if (!row) return
        try {
          await this.#importRow(row, signal)
        } catch (error) {
          this.#retryRows.push(row)
          // A row that was interrupted by `stop` has not failed.
          if (!signal.aborted) failed.push(error)
          this.stop()
        }
      }
    }
    for (let isProgress = true; isProgress && !signal.aborted; ) {
      const before = this.#created
      await Promise.all(Array.from({ length: concurrency }, work))
      isProgress = this.#retryPending(this.#created > before)
    }
    this.#refused.sort((a, b) => a.row.line - b.row.line)
    if (failed.length > 0) throw failed[0]
  }

  /** Tries rows again that may find their references now; rejects them if nothing was created since. */
  #retryPending(isProgress: boolean): boolean {
    if (this.#stop.signal.aborted || this.#pending.length === 0) return false
    if (isProgress) this.#retryRows.push(...this.#takePending())
    else this.#refused.push(...this.#pending.splice(0))
    return isProgress
  }

  #takePending(): readonly BulkRow[] {
    return this.#pending.splice(0).map(({ row }) => row)
  }

  async #importRow(row: BulkRow, signal: AbortSignal): Promise<void> {
    const { record } = row
    const resolved = record && (await this.#options.labels?.resolve(record))
    if (resolved?.isPending) {
      this.#pending.push({ row, reason: resolved.reason ?? '' })
      return
    }
    const body = resolved?.body ?? record
    const reason = body ? (resolved?.reason ?? (await this.#create(row.line, body, signal))) : row.fault
    if (reason === undefined) this.#created++
    else this.#refused.push({ row, reason })
  }

  /** The reason why it was rejected; undefined if it was created. */
  async #create(line: number, body: Json, signal: AbortSignal): Promise<string | undefined> {
    const { writeCollection, path, key, labels } = this.#options
    const headers = this.isKeyed ? { 'idempotency-key': `${key}-${line}` } : {}
    for (let attempt = 1; ; attempt++) {
      try {
        const { base } = writeCollection.api
        const { body: created } = await this.#http.send({ base, method: 'POST', path, body, headers })
        await labels?.add(recordFrom(writeCollection, created))
        return undefined
      } catch (error) {
        const problem = problemOf(error)
        const { status } = problem
        const isLost = status === 0 || status === 503
        if (isLost && !this.isKeyed) return text().bulk.outcomeUnknown(errorText(problem, writeCollection.fields))
        // If the caller may not create one record, the next one fails as well.
        if (status === 401 || status === 403) throw error
        if (!isLost && status !== 429) return errorText(problem, writeCollection.fields)
        if (attempt >= maxAttempts) throw error
        await this.#pause(problem, attempt, signal)
      }
    }
  }

  async #pause({ retryAfter }: Problem, attempt: number, signal: AbortSignal): Promise<void> {
    const backoffMs = firstWaitMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
    const waitMs = Math.min(Math.max((retryAfter ?? 0) * 1000, backoffMs), maxWaitMs)
    this.#waitingRequests++
    try {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, waitMs)
        const end = () => {
          clearTimeout(timer)
          reject(signal.reason)
        }
        if (signal.aborted) end()
        else signal.addEventListener('abort', end, { once: true })
      })
    } finally {
      this.#waitingRequests--
    }
  }
}
