/** A histogram with fixed bounds: counting costs a few comparisons and makes no objects. */
import type { Labels, Sample } from './registry.ts'

export class Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: Float64Array
  #sum = 0
  #count = 0

  /** The bounds are upper ones, inclusive and rising; what is above the last counts as well. */
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

  /** As Prometheus wants them: each bucket holds those below it too. */
  *samples(labels: Labels = {}): Iterable<Sample> {
    let below = 0
    for (const [index, bound] of this.#bounds.entries()) {
      below += this.#counts[index] as number
      yield { suffix: '_bucket', labels: { ...labels, le: `${bound}` }, value: below }
    }
    yield { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: this.#count }
    yield { suffix: '_sum', labels, value: this.#sum }
    yield { suffix: '_count', labels, value: this.#count }
  }
}
