/** The channel from a worker to the supervisor, for requests that concern all workers. */
import type { MetricFamily, OpenService } from '@nomen/server'
import type { TakeRequest, TakeResult } from '@nomen/server/internal'
import { type SupervisorRequest, sendReport } from './report.ts'

/** The maximum time for the supervisor to respond: longer than its own timeout for workers. */
const timeoutMs = 5000

/** A message of the supervisor to a worker. */
export type SupervisorMessage =
  | { readonly kind: 'send-metrics'; readonly round: number }
  | { readonly kind: 'response'; readonly id: number; readonly result: unknown }

export class SupervisorChannel {
  readonly #pending = new Map<number, (result: unknown) => void>()
  #lastId = 0

  /** The metrics of all workers. */
  metrics(): Promise<readonly MetricFamily[]> {
    return this.#send({ for: 'metrics' }) as Promise<readonly MetricFamily[]>
  }

  /** Takes requests from the rate-limit buckets that all workers share. */
  take(requests: readonly TakeRequest[]): Promise<readonly TakeResult[]> {
    return this.#send({ for: 'requests', requests }) as Promise<readonly TakeResult[]>
  }

  /** Starts to receive messages of the supervisor. */
  connect(service: OpenService): void {
    process.on('message', async (message: unknown) => {
      if (!isForWorker(message)) return
      if (message.kind === 'response') this.#pending.get(message.id)?.(message.result)
      else await sendReport({ kind: 'metrics', round: message.round, families: await service.metrics() })
    })
  }

  async #send(request: SupervisorRequest): Promise<unknown> {
    const id = ++this.#lastId
    const timeoutError = new Error(`The supervisor did not respond within ${timeoutMs} ms.`)
    try {
      return await new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(timeoutError), timeoutMs)
        this.#pending.set(id, (result) => {
          clearTimeout(timer)
          resolve(result)
        })
        void sendReport({ kind: 'request', id, request })
      })
    } finally {
      this.#pending.delete(id)
    }
  }
}

function isForWorker(message: unknown): message is SupervisorMessage {
  const kind = typeof message === 'object' && message !== null && 'kind' in message ? message.kind : undefined
  return kind === 'send-metrics' || kind === 'response'
}
