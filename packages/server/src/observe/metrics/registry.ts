/** What can be measured of a service: every part adds what it knows, and is asked when somebody wants to see it. */

export interface Labels {
  readonly [name: string]: string
}

/** One value. A histogram's have suffixes. */
export interface Sample {
  readonly labels?: Labels
  readonly value: number
  readonly suffix?: '_bucket' | '_sum' | '_count'
}

export type MetricType = 'counter' | 'gauge' | 'histogram'

/** All samples of one name. */
export interface MetricFamily {
  readonly name: string
  readonly help: string
  readonly type: MetricType
  readonly samples: readonly Sample[]
}

type Samples = Iterable<Sample>

interface Metric extends Omit<MetricFamily, 'samples'> {
  readonly read: () => Samples | Promise<Samples>
}

/** Who adds a name that is no name of Prometheus, or that is there already, is told so at once. */
export class MetricRegistry {
  readonly #metrics = new Map<string, Metric>()

  /**
   * Adds a metric, whose samples are asked for at every scrape.
   * @example
   * registry.add('nomen_log_lines_total', 'Lines written.', 'counter', () => [{ value: log.lines }])
   */
  add(name: string, help: string, type: MetricType, read: Metric['read']): void {
    if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`"${name}" is no name of a metric: use a to z, 0 to 9 and _.`)
    if (this.#metrics.has(name)) throw new Error(`There is a metric "${name}" already.`)
    this.#metrics.set(name, { name, help, type, read })
  }

  /** Adds one that has a single value. */
  addValue(name: string, help: string, type: 'counter' | 'gauge', read: () => number): void {
    this.add(name, help, type, () => [{ value: read() }])
  }

  /** Reads all of them. A metric that cannot be read is left out: the others are worth having. */
  async families(): Promise<readonly MetricFamily[]> {
    const read = [...this.#metrics.values()].map(async ({ read: readNow, ...metric }) => {
      try {
        return { ...metric, samples: [...(await readNow())] }
      } catch {
        return { ...metric, samples: [] }
      }
    })
    return Promise.all(read)
  }
}
