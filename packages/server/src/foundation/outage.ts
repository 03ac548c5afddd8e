/** A state that begins with a failure and ends with a success. Only its first failure is reported. */
export class Outage<Fault = unknown> {
  readonly #onBegin: (fault: Fault) => void
  #fault: Fault | undefined

  /** `onBegin` gets the first failure, and no other one before a success. */
  constructor(onBegin: (fault: Fault) => void) {
    this.#onBegin = onBegin
  }

  /** The latest failure; undefined if the last attempt succeeded. */
  get fault(): Fault | undefined {
    return this.#fault
  }

  fail(fault: Fault): void {
    const isFirst = this.#fault === undefined
    this.#fault = fault
    if (isFirst) this.#onBegin(fault)
  }

  /** Returns whether this success ends an outage. */
  succeed(): boolean {
    const isEnd = this.#fault !== undefined
    this.#fault = undefined
    return isEnd
  }
}
