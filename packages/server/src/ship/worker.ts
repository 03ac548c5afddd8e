/** Ships a log in a worker thread, so that it does not slow down requests. */
import { Worker } from 'node:worker_threads'
import { threadFile } from '../foundation/package-file.ts'
import { openShipper, type ShipOptions } from './open-shipper.ts'
import type { ShipFigures } from './shipper.ts'
import type { ThreadMessage } from './thread.ts'

/** How long to wait before a crashed thread is restarted. */
const restartDelayMs = 5000

/** The thread needs a fraction of this. The limit protects the memory of the service from a leak in the thread. */
const memoryLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 }

/**
 * Runs a log shipper in a worker thread, and restarts it if it crashes.
 *
 * @example
 * ```ts
 * const worker = new ShipWorker({ log: 'data/access.log', to: 'loki+http://logs:3100', service: 'directory' }, console.error)
 * await worker.stop()
 * ```
 */
export class ShipWorker {
  readonly #options: ShipOptions
  readonly #onNotice: (message: string) => void
  /** The figures of crashed threads. */
  #earlierFigures: ShipFigures = { lagBytes: 0, lagSeconds: 0, sent: 0, retried: 0, rejected: 0 }
  #figures = this.#earlierFigures
  #worker: Worker | undefined
  #restart: NodeJS.Timeout | undefined
  #isStopping = false

  /**
   * Starts the thread.
   *
   * @throws ShipError if an option is invalid
   */
  constructor(options: ShipOptions, onNotice: (message: string) => void) {
    this.#options = options
    this.#onNotice = onNotice
    // Checks the options in this thread, so that the error is thrown here.
    void openShipper(options, onNotice).stop()
    this.#start()
  }

  /** The figures, which may be a second old. */
  figures(): ShipFigures {
    return this.#figures
  }

  /** Sends the remaining lines of the log within a few seconds, and stops the thread. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#restart)
    const worker = this.#worker
    if (!worker) return
    worker.ref()
    worker.postMessage('stop')
    // A crashed thread emits `error` before `exit`, which was reported already.
    await new Promise((resolve) => worker.once('exit', resolve))
  }

  #start(): void {
    const worker = new Worker(threadFile('ship/thread'), { workerData: this.#options, resourceLimits: memoryLimits })
    this.#worker = worker
    // The thread does not keep the process alive.
    worker.unref()
    worker.on('message', (message: ThreadMessage) => {
      if ('notice' in message) this.#onNotice(message.notice)
      else this.#figures = sum(this.#earlierFigures, message.figures)
    })
    worker.on('error', (error: Error) => {
      this.#onNotice(`Shipping access logs failed and will be restarted: ${error.message}`)
    })
    worker.on('exit', () => {
      this.#worker = undefined
      this.#earlierFigures = this.#figures
      if (!this.#isStopping) this.#restart = setTimeout(() => this.#start(), restartDelayMs).unref()
    })
  }
}

function sum(first: ShipFigures, second: ShipFigures): ShipFigures {
  return {
    ...second,
    sent: first.sent + second.sent,
    retried: first.retried + second.retried,
    rejected: first.rejected + second.rejected,
  }
}
