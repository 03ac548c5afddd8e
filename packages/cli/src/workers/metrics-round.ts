/** Collects the metrics of all workers: the scraped worker requests them from the supervisor, which requests them from every worker. */
import type { MetricFamily } from '@nomen/server'
import type { SupervisorMessage } from './supervisor-channel.ts'

/** The maximum time for a worker to send its metrics. */
const timeoutMs = 2000

/** A worker that can send its metrics. */
interface MetricsWorker {
  readonly number: number
  readonly isListening: boolean
  send(message: SupervisorMessage): void
}

interface Round {
  readonly received: Map<MetricsWorker, readonly MetricFamily[]>
  readonly finish: () => void
  /** Workers whose metrics are missing. */
  readonly pending: Set<MetricsWorker>
}

export class MetricsRounds {
  readonly #workers: readonly MetricsWorker[]
  readonly #rounds = new Map<number, Round>()
  #number = 0

  constructor(workers: readonly MetricsWorker[]) {
    this.#workers = workers
  }

  /** Requests the metrics of every listening worker. Workers that do not respond in time, or are not running, are reported as down. */
  async gather(): Promise<readonly MetricFamily[]> {
    const round = ++this.#number
    const received: Round['received'] = new Map()
    const pending = new Set(this.#workers.filter(({ isListening }) => isListening))
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs)
      const finish = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#rounds.set(round, { received, finish, pending })
      for (const worker of pending) worker.send({ kind: 'send-metrics', round })
      if (pending.size === 0) finish()
    })
    this.#rounds.delete(round)
    const families = [...received].flatMap(([worker, ofWorker]) => withWorkerLabel(worker, ofWorker))
    return [upFamily(this.#workers, received), ...families]
  }

  /** Receives the metrics of a worker for a round; ignores them if the round is over. */
  receive(worker: MetricsWorker, number: number, families: readonly MetricFamily[]): void {
    const round = this.#rounds.get(number)
    if (!round?.pending.delete(worker)) return
    round.received.set(worker, families)
    if (round.pending.size === 0) round.finish()
  }
}

function upFamily(workers: readonly MetricsWorker[], received: Round['received']): MetricFamily {
  const samples = workers.map((worker) => ({
    labels: { worker: `${worker.number}` },
    value: received.has(worker) ? 1 : 0,
  }))
  return { name: 'nomen_worker_up', help: 'Whether a worker reports its metrics.', type: 'gauge', samples }
}

/** Adds the number of the worker. A sum over workers would drop when one restarts, which looks like a counter reset. */
function withWorkerLabel({ number }: MetricsWorker, families: readonly MetricFamily[]): readonly MetricFamily[] {
  return families.map((family) => ({
    ...family,
    samples: family.samples.map((sample) => ({ ...sample, labels: { worker: `${number}`, ...sample.labels } })),
  }))
}
