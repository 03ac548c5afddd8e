/**
 * Checks whether a history is linearizable: whether its operations have one order, each at a time between its call and its
 * response, in which a single copy of the data would have responded the same. The search is that of Wing and Gong, in the
 * variant of Lowe ("Testing for linearizability"): each response keeps only the states that explain it.
 */
import { type Timed, timeText, type Violation } from './history.ts'

/** The data that the operations work on. */
export interface Model<State, Step> {
  readonly initial: State
  /** The state after a step; undefined if the step cannot have had its response in this state. */
  apply(state: State, step: Step): State | undefined
  /** Whether the step never changes the state. */
  isRead(step: Step): boolean
  /** Identifies a state. */
  key(state: State): string
}

export interface TimedStep<Step> extends Timed {
  readonly step: Step
}

/** A possible state of the data, and the pending operations that have taken effect in it, by their slots. */
interface Candidate<State> {
  readonly state: State
  readonly applied: bigint
}

interface Event<Step> {
  readonly time: number
  readonly isStart: boolean
  readonly operation: TimedStep<Step>
}

/** The first response that no order explains; undefined if the history is linearizable. */
export function checkLinearizable<State, Step>(
  model: Model<State, Step>,
  history: readonly TimedStep<Step>[],
): Violation | undefined {
  const search = new Search(model)
  for (const { isStart, operation } of eventsOf(history)) {
    if (isStart) search.begin(operation)
    else {
      const before = search.states()
      if (!search.end(operation)) {
        const concurrent = search.pending(operation).map((candidate) => `  ${stepText(candidate)}`)
        return {
          kind: 'not linearizable',
          detail: [
            `Nothing explains ${stepText(operation)}.`,
            `Before it, the state was ${before.join(' or ')}; at the same time:`,
            ...concurrent,
          ].join('\n'),
        }
      }
    }
  }
  return undefined
}

function stepText<Step>(operation: TimedStep<Step>): string {
  return `${JSON.stringify(operation.step)} (${timeText(operation)})`
}

/** In chronological order. At equal times, starts come first, because the operations may have overlapped. */
function eventsOf<Step>(history: readonly TimedStep<Step>[]): readonly Event<Step>[] {
  const starts = history.map((operation) => ({ time: operation.start, isStart: true, operation }))
  const ends = history.map((operation) => ({ time: operation.end, isStart: false, operation }))
  return [...starts, ...ends.filter(({ time }) => time < Number.POSITIVE_INFINITY)].sort(
    (a, b) => a.time - b.time || Number(b.isStart) - Number(a.isStart),
  )
}

class Search<State, Step> {
  readonly #model: Model<State, Step>
  readonly #slots: (TimedStep<Step> | undefined)[] = []
  #candidates: readonly Candidate<State>[]

  constructor(model: Model<State, Step>) {
    this.#model = model
    this.#candidates = [{ state: model.initial, applied: 0n }]
  }

  states(): readonly string[] {
    return [...new Set(this.#candidates.map(({ state }) => this.#model.key(state)))]
  }

  /** The operations that are concurrent with this one. */
  pending(operation: TimedStep<Step>): readonly TimedStep<Step>[] {
    return this.#slots.filter((candidate) => candidate !== undefined && candidate !== operation) as TimedStep<Step>[]
  }

  begin(operation: TimedStep<Step>): void {
    const free = this.#slots.indexOf(undefined)
    this.#slots[free === -1 ? this.#slots.length : free] = operation
    if (this.#model.isRead(operation.step))
      this.#candidates = this.#candidates.map((candidate) => this.#withReads(candidate))
  }

  /** False if no state explains the response. */
  end(operation: TimedStep<Step>): boolean {
    const slot = this.#slots.indexOf(operation)
    const bit = 1n << BigInt(slot)
    const candidates = new Map<string, Candidate<State>>()
    const visited = new Set<string>()
    const queue = [...this.#candidates]
    for (let candidate = queue.pop(); candidate; candidate = queue.pop()) {
      const key = this.#key(candidate)
      if (visited.has(key)) continue
      visited.add(key)
      if (candidate.applied & bit) {
        const without = { state: candidate.state, applied: candidate.applied & ~bit }
        candidates.set(this.#key(without), without)
      } else queue.push(...this.#next(candidate))
    }
    this.#slots[slot] = undefined
    if (candidates.size === 0) return false
    this.#candidates = [...candidates.values()]
    return true
  }

  /** Every candidate after one more write. */
  *#next({ state, applied }: Candidate<State>): Generator<Candidate<State>> {
    for (const [slot, operation] of this.#slots.entries()) {
      const bit = 1n << BigInt(slot)
      if (!operation || applied & bit || this.#model.isRead(operation.step)) continue
      const next = this.#model.apply(state, operation.step)
      if (next !== undefined) yield this.#withReads({ state: next, applied: applied | bit })
    }
  }

  /** Reads do not change the state, so each takes effect as soon as the state explains it. */
  #withReads({ state, applied }: Candidate<State>): Candidate<State> {
    let appliedWithReads = applied
    for (const [slot, operation] of this.#slots.entries()) {
      const isOpen = operation && !(appliedWithReads & (1n << BigInt(slot))) && this.#model.isRead(operation.step)
      if (isOpen && this.#model.apply(state, operation.step) !== undefined) appliedWithReads |= 1n << BigInt(slot)
    }
    return { state, applied: appliedWithReads }
  }

  #key({ state, applied }: Candidate<State>): string {
    return `${applied.toString(36)} ${this.#model.key(state)}`
  }
}
