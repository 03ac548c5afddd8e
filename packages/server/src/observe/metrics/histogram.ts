/** A histogram with fixed buckets. Adding a value takes a few comparisons and allocates nothing. */
import type { Labels, Sample } from './registry.ts'

export class Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: Float64Array
  #sum = 0
  #count = 0

  /** The inclusive upper bounds of the buckets, in ascending order. Larger values count in the bucket `+Inf`. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Float64Array(bounds.length)
  }

  get count(): number {
    return this.#count
  }

  add(value: number): void {
    this.#sum += value
    this.#count++
    const bounds = this.#bounds
    for (let index = 0; index < bounds.length; index++) {
      if (value > (bounds[index] as number)) continue
      ;(this.#counts[index] as number)++
      return
    }
  }

  /** Samples as Prometheus requires them, with cumulative buckets. */
  *samples(labels: Labels = {}): Iterable<Sample> {
    let cumulativeCount = 0
    for (const [index, bound] of this.#bounds.entries()) {
      cumulativeCount += this.#counts[index] as number
      yield { suffix: '_bucket', labels: { ...labels, le: `${bound}` }, value: cumulativeCount }
    }
    yield { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: this.#count }
    yield { suffix: '_sum', labels, value: this.#sum }
    yield { suffix: '_count', labels, value: this.#count }
  }
}
