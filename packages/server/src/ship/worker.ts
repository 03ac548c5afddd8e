/** Ships a log in a thread of its own, so that it is in no request's way. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { openShipper, type ShipOptions } from './open-shipper.ts'
import type { ShipFigures } from './shipper.ts'
import type { ThreadWord } from './thread.ts'

/** How long after a thread has died the next one begins, in milliseconds. */
const restartAfter = 5000

/** It needs a fraction of this; a fault must not take the memory of the service, nor garbage that nobody collects. */
const memory = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 }

export class ShipWorker {
  readonly #options: ShipOptions
  readonly #onNotice: (message: string) => void
  /** Of the threads that have died. */
  #before: ShipFigures = { lagBytes: 0, lagSeconds: 0, sent: 0, retried: 0, rejected: 0 }
  #figures = this.#before
  #worker: Worker | undefined
  #restart: NodeJS.Timeout | undefined
  #isStopping = false

  /** Starts at once. Throws a ShipError for options that cannot be used. */
  constructor(options: ShipOptions, onNotice: (message: string) => void) {
    this.#options = options
    this.#onNotice = onNotice
    // what is wrong with them is known here, not in a thread
    void openShipper(options, onNotice).stop()
    this.#start()
  }

  /** As they were a second ago. */
  figures(): ShipFigures {
    return this.#figures
  }

  /** Sends the rest of a log that is written no more, as far as that takes a few seconds. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#restart)
    const worker = this.#worker
    if (!worker) return
    worker.ref()
    worker.postMessage('stop')
    await once(worker, 'exit')
  }

  #start(): void {
    const worker = new Worker(entry(), { workerData: this.#options, resourceLimits: memory })
    this.#worker = worker
    // a process that has nothing else to do does not live for this
    worker.unref()
    worker.on('message', (word: ThreadWord) => {
      if ('notice' in word) this.#onNotice(word.notice)
      else this.#figures = sum(this.#before, word.figures)
    })
    worker.on('error', (error: Error) => {
      this.#onNotice(`Shipping of access logs failed, and is begun again: ${error.message}`)
    })
    worker.on('exit', () => {
      this.#worker = undefined
      this.#before = this.#figures
      if (!this.#isStopping) this.#restart = setTimeout(() => this.#start(), restartAfter).unref()
    })
  }
}

function sum(before: ShipFigures, now: ShipFigures): ShipFigures {
  return {
    ...now,
    sent: before.sent + now.sent,
    retried: before.retried + now.retried,
    rejected: before.rejected + now.rejected,
  }
}

/** The thread's own file, as it is called where this one lies. */
function entry(): URL {
  return new URL(`./thread${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url)
}
