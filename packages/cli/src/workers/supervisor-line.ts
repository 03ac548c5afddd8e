/** The line from a worker to the supervisor: questions that only the supervisor, or all workers together, can answer. */
import type { MetricFamily, OpenService } from '@nomen/server'
import type { TakeRequest, TakeResult } from '@nomen/server/internal'
import { type Question, sendReport } from './report.ts'

/** How long the supervisor may take, in milliseconds; it waits for less itself. */
const patience = 5000

/** What the supervisor says to a worker. */
export type SupervisorMessage =
  | { readonly kind: 'tell-metrics'; readonly round: number }
  | { readonly kind: 'answer'; readonly asked: number; readonly answer: unknown }

export class SupervisorLine {
  readonly #waiting = new Map<number, (answer: unknown) => void>()
  #number = 0

  /** The metrics of all workers. */
  metrics(): Promise<readonly MetricFamily[]> {
    return this.#ask({ of: 'metrics' }) as Promise<readonly MetricFamily[]>
  }

  /** Requests out of the buckets that all workers share. */
  take(wishes: readonly TakeRequest[]): Promise<readonly TakeResult[]> {
    return this.#ask({ of: 'requests', wishes }) as Promise<readonly TakeResult[]>
  }

  /** Takes the supervisor's answers, and answers it. */
  open(opened: OpenService): void {
    process.on('message', async (message: unknown) => {
      if (!isForWorker(message)) return
      if (message.kind === 'answer') this.#waiting.get(message.asked)?.(message.answer)
      else await sendReport({ kind: 'metrics', round: message.round, families: await opened.metrics() })
    })
  }

  async #ask(question: Question): Promise<unknown> {
    const asked = ++this.#number
    const late = new Error(`The supervisor did not answer within ${patience} ms.`)
    try {
      return await new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(late), patience)
        this.#waiting.set(asked, (answer) => {
          clearTimeout(timer)
          resolve(answer)
        })
        void sendReport({ kind: 'asked', asked, question })
      })
    } finally {
      this.#waiting.delete(asked)
    }
  }
}

function isForWorker(message: unknown): message is SupervisorMessage {
  const kind = typeof message === 'object' && message !== null && 'kind' in message ? message.kind : undefined
  return kind === 'tell-metrics' || kind === 'answer'
}
