/** Worker threads that read a database file without blocking the main thread. */
import { Worker } from 'node:worker_threads'
import { threadFile } from '../../../foundation/package-file.ts'
import { QueryTimeout, StoreUnavailable, TooLarge, TooManyLists } from '../../fault/error.ts'
import type { Row } from '../statement.ts'
import type { ReadRequest, ReadResponse, ThreadOptions } from './reader-thread.ts'

/** How long an idle thread is kept. */
const idleMs = 30_000

/** More threads would only compete for the CPU. One of them is reserved for reads that are not slow. */
const maxThreads = 2
const maxSlowReads = maxThreads - 1

/** How many reads may wait for a thread. */
const maxPendingReads = 100

export interface ReaderThreadsOptions {
  /** The time limit of a read. */
  readonly timeoutMs?: number
  /** How long a read may wait for a thread. */
  readonly waitMs?: number
  /** The maximum size of a string, in bytes (default: no limit). */
  readonly maxBytes?: number | undefined
}

export interface TimedRow {
  readonly row: Row
  /** How long the read took. */
  readonly tookMs: number
}

interface PendingRead {
  readonly request: ReadRequest
  /** Whether it is expected to be slow, so that it may not use the last thread. */
  readonly isSlow: boolean
  timer?: NodeJS.Timeout
  resolve(result: TimedRow): void
  reject(error: unknown): void
}

interface Thread {
  readonly worker: Worker
  current?: PendingRead | undefined
  idleTimer?: NodeJS.Timeout | undefined
}

export class ReaderThreads {
  readonly #options: ThreadOptions
  readonly #timeoutMs: number
  readonly #waitMs: number
  readonly #threads = new Set<Thread>()
  readonly #pendingReads = new Set<PendingRead>()
  #isClosed = false

  constructor(path: string, options: ReaderThreadsOptions = {}) {
    const { timeoutMs = 10_000, waitMs = 5000, maxBytes } = options
    this.#options = { path, maxBytes }
    this.#timeoutMs = timeoutMs
    this.#waitMs = waitMs
  }

  /** The first row of a statement. */
  read(statement: string, values: readonly unknown[], isSlow = false): Promise<TimedRow> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('The database is closed.'))
    if (this.#pendingReads.size >= maxPendingReads) return Promise.reject(tooManyLists())
    return new Promise((resolve, reject) => {
      const read: PendingRead = {
        request: { text: statement, values, timeoutMs: this.#timeoutMs },
        isSlow,
        resolve,
        reject,
      }
      this.#pendingReads.add(read)
      this.#assignThreads()
      if (!this.#pendingReads.has(read)) return
      read.timer = setTimeout(() => {
        this.#pendingReads.delete(read)
        reject(tooManyLists())
      }, this.#waitMs)
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const reads = [...this.#pendingReads, ...[...this.#threads].flatMap(({ current }) => current ?? [])]
    this.#pendingReads.clear()
    for (const { reject, timer } of reads) {
      clearTimeout(timer)
      reject(new StoreUnavailable('The database is closed.'))
    }
    await Promise.all([...this.#threads].map((thread) => this.#end(thread)))
  }

  /** Assigns threads to the oldest reads. Slow reads leave one thread to the others. */
  #assignThreads(): void {
    for (const read of this.#pendingReads) {
      if (read.isSlow && this.#numberOfSlow >= maxSlowReads) continue
      const thread = this.#idleThread() ?? (this.#threads.size < maxThreads ? this.#start() : undefined)
      if (!thread) return
      this.#pendingReads.delete(read)
      this.#send(thread, read)
    }
  }

  get #numberOfSlow(): number {
    let number = 0
    for (const { current } of this.#threads) if (current?.isSlow) number++
    return number
  }

  #idleThread(): Thread | undefined {
    for (const thread of this.#threads) if (!thread.current) return thread
    return undefined
  }

  #send(thread: Thread, read: PendingRead): void {
    clearTimeout(read.timer)
    clearTimeout(thread.idleTimer)
    thread.current = read
    thread.worker.ref()
    thread.worker.postMessage(read.request)
  }

  #start(): Thread {
    // Modules that the command line preloads are not for this thread.
    const worker = new Worker(threadFile('store/sqlite/read/reader-thread'), {
      workerData: this.#options,
      execArgv: [],
    })
    const thread: Thread = { worker }
    worker.unref()
    worker.on('message', (response: ReadResponse) => this.#settle(thread, response))
    worker.on('error', (error) => {
      this.#threads.delete(thread)
      thread.current?.reject(error)
      this.#assignThreads()
    })
    this.#threads.add(thread)
    return thread
  }

  #settle(thread: Thread, response: ReadResponse): void {
    const { current } = thread
    thread.current = undefined
    thread.worker.unref()
    thread.idleTimer = setTimeout(() => this.#end(thread), idleMs).unref()
    if ('row' in response) current?.resolve(response)
    else current?.reject(this.#fault(response))
    this.#assignThreads()
  }

  #fault({ fault, error, errcode }: Extract<ReadResponse, { fault: string }>): unknown {
    if (fault === 'timeout') return new QueryTimeout(`A list took longer than ${this.#timeoutMs} ms.`)
    if (fault === 'large') return new TooLarge(this.#options.maxBytes ?? 0, { cause: error })
    return error instanceof Error ? Object.assign(error, { errcode }) : error
  }

  async #end(thread: Thread): Promise<void> {
    clearTimeout(thread.idleTimer)
    this.#threads.delete(thread)
    await thread.worker.terminate()
  }
}

function tooManyLists(): TooManyLists {
  return new TooManyLists('No reader thread became free in time.')
}
