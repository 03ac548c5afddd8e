/** Threads that read a database file beside the one that everybody waits for. */
import { Worker } from 'node:worker_threads'
import { QueryTimeout, StoreUnavailable, TooLarge, TooManyLists } from '../../error.ts'
import type { Row } from '../statement.ts'
import type { Answer, Question, ThreadOptions } from './reader-thread.ts'

/** How long a thread stays that has nothing to do, in milliseconds. */
const idleMs = 30_000

/** More than a few would only take turns. One of them is kept for reads that are not slow. */
const maxThreads = 2
const maxSlow = maxThreads - 1

/** How many reads wait for a thread at most. */
const maxWaiting = 100

export interface ReaderThreadsOptions {
  /** How long a read may take, in milliseconds. */
  readonly timeoutMs?: number
  /** How long a read may wait for a thread, in milliseconds. */
  readonly waitMs?: number
  /** The longest text that is read, in bytes; any where left out. */
  readonly maxBytes?: number | undefined
}

export interface Reading {
  readonly row: Row
  /** How long it took to read, in milliseconds. */
  readonly took: number
}

interface Read {
  readonly question: Question
  /** Whether it is expected to take so long that it may not have the last thread. */
  readonly isSlow: boolean
  timer?: NodeJS.Timeout
  resolve(reading: Reading): void
  reject(error: unknown): void
}

interface Thread {
  readonly worker: Worker
  current?: Read | undefined
  leaving?: NodeJS.Timeout | undefined
}

export class ReaderThreads {
  readonly #options: ThreadOptions
  readonly #timeoutMs: number
  readonly #waitMs: number
  readonly #threads = new Set<Thread>()
  readonly #waiting = new Set<Read>()
  #isClosed = false

  constructor(path: string, options: ReaderThreadsOptions = {}) {
    const { timeoutMs = 10_000, waitMs = 5000, maxBytes } = options
    this.#options = { path, maxBytes }
    this.#timeoutMs = timeoutMs
    this.#waitMs = waitMs
  }

  /** The first row of a statement. */
  read(text: string, values: readonly unknown[], isSlow = false): Promise<Reading> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('The database is closed.'))
    if (this.#waiting.size >= maxWaiting) return Promise.reject(tooMany())
    return new Promise((resolve, reject) => {
      const read: Read = { question: { text, values, timeoutMs: this.#timeoutMs }, isSlow, resolve, reject }
      this.#waiting.add(read)
      this.#serve()
      if (!this.#waiting.has(read)) return
      read.timer = setTimeout(() => {
        this.#waiting.delete(read)
        reject(tooMany())
      }, this.#waitMs)
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const reads = [...this.#waiting, ...[...this.#threads].flatMap(({ current }) => current ?? [])]
    this.#waiting.clear()
    for (const { reject, timer } of reads) {
      clearTimeout(timer)
      reject(new StoreUnavailable('The database is closed.'))
    }
    await Promise.all([...this.#threads].map((thread) => this.#end(thread)))
  }

  /** Gives threads to those who have waited longest. Slow reads leave one to the others. */
  #serve(): void {
    for (const read of this.#waiting) {
      if (read.isSlow && this.#numberOfSlow >= maxSlow) continue
      const thread = this.#free() ?? (this.#threads.size < maxThreads ? this.#start() : undefined)
      if (!thread) return
      this.#waiting.delete(read)
      this.#ask(thread, read)
    }
  }

  get #numberOfSlow(): number {
    let number = 0
    for (const { current } of this.#threads) if (current?.isSlow) number++
    return number
  }

  #free(): Thread | undefined {
    for (const thread of this.#threads) if (!thread.current) return thread
    return undefined
  }

  #ask(thread: Thread, read: Read): void {
    clearTimeout(read.timer)
    clearTimeout(thread.leaving)
    thread.current = read
    thread.worker.ref()
    thread.worker.postMessage(read.question)
  }

  #start(): Thread {
    const worker = new Worker(entry(), { workerData: this.#options })
    const thread: Thread = { worker }
    worker.unref()
    worker.on('message', (answer: Answer) => this.#settle(thread, answer))
    worker.on('error', (error) => {
      this.#threads.delete(thread)
      thread.current?.reject(error)
      this.#serve()
    })
    this.#threads.add(thread)
    return thread
  }

  #settle(thread: Thread, answer: Answer): void {
    const { current } = thread
    thread.current = undefined
    thread.worker.unref()
    thread.leaving = setTimeout(() => this.#end(thread), idleMs).unref()
    if ('row' in answer) current?.resolve(answer)
    else current?.reject(this.#fault(answer))
    this.#serve()
  }

  #fault({ fault, error }: Extract<Answer, { fault: string }>): unknown {
    if (fault === 'late') return new QueryTimeout(`A list took longer than ${this.#timeoutMs} ms.`)
    return fault === 'large' ? new TooLarge(this.#options.maxBytes ?? 0, { cause: error }) : error
  }

  async #end(thread: Thread): Promise<void> {
    clearTimeout(thread.leaving)
    this.#threads.delete(thread)
    await thread.worker.terminate()
  }
}

function tooMany(): TooManyLists {
  return new TooManyLists('No thread to read a list became free in time.')
}

/** The thread's own file, as it is called where this one lies. */
function entry(): URL {
  return new URL(`./reader-thread${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url)
}
