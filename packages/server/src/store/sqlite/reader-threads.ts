/** Threads that read a database file beside the one that everybody waits for. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { StoreUnavailable, TooExpensive } from '../plan.ts'
import type { Answer, Question } from './reader-thread.ts'
import type { Row } from './statement.ts'

/** How long a thread stays that has nothing to do, in milliseconds. */
const idle = 30_000

/** More than a few would only take turns. */
const most = Math.min(2, availableParallelism())

interface Read {
  readonly question: Question
  readonly deadline: number
  resolve(reading: { readonly row: Row; readonly took: number }): void
  reject(error: unknown): void
}

interface Thread {
  readonly worker: Worker
  current?: Read | undefined
  leaving?: NodeJS.Timeout | undefined
}

export class ReaderThreads {
  readonly #path: string
  readonly #patience: number
  readonly #threads = new Set<Thread>()
  #waiting: Read[] = []
  #isClosed = false

  /** `patience` is how long a read may wait for a thread and take, in milliseconds. */
  constructor(path: string, patience = 10_000) {
    this.#path = path
    this.#patience = patience
  }

  /** The first row of a statement, and how long it took to read, in milliseconds. */
  read(text: string, values: readonly unknown[]): Promise<{ readonly row: Row; readonly took: number }> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('The database is closed.'))
    return new Promise((resolve, reject) => {
      const deadline = Date.now() + this.#patience
      this.#waiting.push({ question: { text, values, deadline }, deadline, resolve, reject })
      this.#serve()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const reads = [...this.#waiting, ...[...this.#threads].flatMap(({ current }) => current ?? [])]
    this.#waiting = []
    for (const { reject } of reads) reject(new StoreUnavailable('The database is closed.'))
    await Promise.all([...this.#threads].map((thread) => this.#end(thread)))
  }

  #serve(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#free() ?? (this.#threads.size < most ? this.#start() : undefined)
      if (!thread) return
      const read = this.#waiting.shift() as Read
      if (read.deadline <= Date.now()) read.reject(this.#tooExpensive())
      else this.#ask(thread, read)
    }
  }

  #free(): Thread | undefined {
    for (const thread of this.#threads) if (!thread.current) return thread
    return undefined
  }

  #ask(thread: Thread, read: Read): void {
    clearTimeout(thread.leaving)
    thread.current = read
    thread.worker.ref()
    thread.worker.postMessage(read.question)
  }

  #start(): Thread {
    const worker = new Worker(entry(), { workerData: this.#path })
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
    thread.leaving = setTimeout(() => this.#end(thread), idle).unref()
    if ('row' in answer) current?.resolve(answer)
    else current?.reject(answer.isLate ? this.#tooExpensive() : answer.error)
    this.#serve()
  }

  #tooExpensive(): TooExpensive {
    return new TooExpensive(`A list took longer than ${this.#patience} ms.`)
  }

  async #end(thread: Thread): Promise<void> {
    clearTimeout(thread.leaving)
    this.#threads.delete(thread)
    await thread.worker.terminate()
  }
}

/** The thread's own file, as it is called where this one lies. */
function entry(): URL {
  return new URL(`./reader-thread${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url)
}
