/** Choices of a value generator: the more of them are 0 or missing, the simpler the values. */

export class Tape {
  readonly #numbers: readonly number[]
  #at = 0

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }

  /** From 0, below the limit. */
  below(limit: number): number {
    return (this.#numbers[this.#at++] ?? 0) % Math.max(1, limit)
  }

  /** True once in this number of times, and never for the simplest choice. */
  oneIn(count: number): boolean {
    return this.below(count) === count - 1
  }

  /** The first is the simplest. */
  pick<One>(all: readonly One[]): One {
    return all[this.below(all.length)] as One
  }
}
