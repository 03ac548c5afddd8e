/** Metrics of all workers: whoever is scraped asks the supervisor, which asks everyone. */
import type { MetricFamily } from '@nomen/server'
import type { SupervisorMessage } from './supervisor-line.ts'

/** How long a worker may take to tell its metrics, in milliseconds. */
const patience = 2000

/** A worker as it is asked. */
interface Asked {
  readonly number: number
  readonly isListening: boolean
  send(message: SupervisorMessage): void
}

interface Round {
  readonly told: Map<Asked, readonly MetricFamily[]>
  readonly finish: () => void
  readonly open: Set<Asked>
}

export class MetricsRounds {
  readonly #workers: readonly Asked[]
  readonly #rounds = new Map<number, Round>()
  #number = 0

  constructor(workers: readonly Asked[]) {
    this.#workers = workers
  }

  /** Asks every worker that serves. One that does not answer in time is told as being down, as are those that are away. */
  async gather(): Promise<readonly MetricFamily[]> {
    const round = ++this.#number
    const told: Round['told'] = new Map()
    const open = new Set(this.#workers.filter(({ isListening }) => isListening))
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patience)
      const finish = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#rounds.set(round, { told, finish, open })
      for (const worker of open) worker.send({ kind: 'tell-metrics', round })
      if (open.size === 0) finish()
    })
    this.#rounds.delete(round)
    return [upFamily(this.#workers, told), ...[...told].flatMap(([worker, families]) => labelled(worker, families))]
  }

  /** Takes what a worker tells in a round; too late, it counts for nothing. */
  hear(worker: Asked, number: number, families: readonly MetricFamily[]): void {
    const round = this.#rounds.get(number)
    if (!round?.open.delete(worker)) return
    round.told.set(worker, families)
    if (round.open.size === 0) round.finish()
  }
}

function upFamily(workers: readonly Asked[], told: Round['told']): MetricFamily {
  const samples = workers.map((worker) => ({
    labels: { worker: `${worker.number}` },
    value: told.has(worker) ? 1 : 0,
  }))
  return { name: 'nomen_worker_up', help: 'Whether a worker tells its metrics.', type: 'gauge', samples }
}

/** Each with the number of its worker: a sum would fall when one of them is started again, and look like a new beginning. */
function labelled({ number }: Asked, families: readonly MetricFamily[]): readonly MetricFamily[] {
  return families.map((family) => ({
    ...family,
    samples: family.samples.map((sample) => ({ ...sample, labels: { worker: `${number}`, ...sample.labels } })),
  }))
}
