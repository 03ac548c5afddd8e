/** The registry of metrics: parts of the service add metrics, whose values are read at every scrape. */

export interface Labels {
  readonly [name: string]: string
}

/** One value of a metric. Samples of a histogram have a suffix. */
export interface Sample {
  readonly labels?: Labels
  readonly value: number
  readonly suffix?: '_bucket' | '_sum' | '_count'
}

export type MetricType = 'counter' | 'gauge' | 'histogram'

/** A metric with all of its samples, as Prometheus shows it. */
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

/** Throws if a name is invalid or already exists. */
export class MetricRegistry {
  readonly #metrics = new Map<string, Metric>()

  /**
   * Adds a metric. Its samples are read at every scrape.
   *
   * @example
   * registry.add('nomen_log_lines_total', 'Lines written.', 'counter', () => [{ value: log.lines }])
   */
  add(name: string, help: string, type: MetricType, read: Metric['read']): void {
    if (!/^[a-z][a-z0-9_]*$/.test(name))
      throw new Error(`"${name}" is not a valid metric name. Use a to z, 0 to 9 and _.`)
    if (this.#metrics.has(name)) throw new Error(`The metric "${name}" already exists.`)
    this.#metrics.set(name, { name, help, type, read })
  }

  /** Adds a metric with a single value. */
  addValue(name: string, help: string, type: 'counter' | 'gauge', read: () => number): void {
    this.add(name, help, type, () => [{ value: read() }])
  }

  /** Reads all metrics. A metric that cannot be read has no samples. */
  async families(): Promise<readonly MetricFamily[]> {
    const families = [...this.#metrics.values()].map(async ({ read, ...metric }) => {
      try {
        return { ...metric, samples: [...(await read())] }
      } catch {
        return { ...metric, samples: [] }
      }
    })
    return Promise.all(families)
  }
}
