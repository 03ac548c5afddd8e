/**
 * Whether a history is linearizable: whether its operations can be put in one order, each at a moment between its call and
 * its answer, in which a single copy of the data would have answered the same. The search is that of Wing and Gong, done
 * while time passes (as by Lowe, "Testing for linearizability"): at each answer only those states are kept that explain it.
 */
import { type Timed, timeText, type Violation } from './history.ts'

/** The data that the operations work on. */
export interface Model<State, Step> {
  readonly initial: State
  /** The state after a step; undefined where the step cannot have had its answer in this state. */
  apply(state: State, step: Step): State | undefined
  /** Whether it leaves every state as it is. */
  isRead(step: Step): boolean
  /** Tells states apart. */
  key(state: State): string
}

export interface TimedStep<Step> extends Timed {
  readonly step: Step
}

/** A state that the data may be in, and which of the operations under way have been done in it, by their slots. */
interface Candidate<State> {
  readonly state: State
  readonly done: bigint
}

interface Event<Step> {
  readonly at: number
  readonly isStart: boolean
  readonly operation: TimedStep<Step>
}

/** The first answer that nothing explains; undefined where the history is linearizable. */
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
        const beside = search.pending(operation).map((one) => `  ${stepText(one)}`)
        return {
          kind: 'not linearizable',
          detail: [
            `Nothing explains ${stepText(operation)}.`,
            `Before it, the state was ${before.join(' or ')}; at the same time:`,
            ...beside,
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

/** In the order of time. Of what the clock cannot tell apart, starts come first: then they may have overlapped. */
function eventsOf<Step>(history: readonly TimedStep<Step>[]): readonly Event<Step>[] {
  const starts = history.map((operation) => ({ at: operation.start, isStart: true, operation }))
  const ends = history.map((operation) => ({ at: operation.end, isStart: false, operation }))
  return [...starts, ...ends.filter(({ at }) => at < Number.POSITIVE_INFINITY)].sort(
    (a, b) => a.at - b.at || Number(b.isStart) - Number(a.isStart),
  )
}

class Search<State, Step> {
  readonly #model: Model<State, Step>
  readonly #slots: (TimedStep<Step> | undefined)[] = []
  #candidates: readonly Candidate<State>[]

  constructor(model: Model<State, Step>) {
    this.#model = model
    this.#candidates = [{ state: model.initial, done: 0n }]
  }

  states(): readonly string[] {
    return [...new Set(this.#candidates.map(({ state }) => this.#model.key(state)))]
  }

  /** What is under way beside an operation. */
  pending(operation: TimedStep<Step>): readonly TimedStep<Step>[] {
    return this.#slots.filter((one) => one !== undefined && one !== operation) as TimedStep<Step>[]
  }

  begin(operation: TimedStep<Step>): void {
    const free = this.#slots.indexOf(undefined)
    this.#slots[free === -1 ? this.#slots.length : free] = operation
    if (this.#model.isRead(operation.step)) this.#candidates = this.#candidates.map((one) => this.#withReads(one))
  }

  /** False where no state explains the answer. */
  end(operation: TimedStep<Step>): boolean {
    const slot = this.#slots.indexOf(operation)
    const bit = 1n << BigInt(slot)
    const kept = new Map<string, Candidate<State>>()
    const known = new Set<string>()
    const open = [...this.#candidates]
    for (let one = open.pop(); one; one = open.pop()) {
      const key = this.#key(one)
      if (known.has(key)) continue
      known.add(key)
      if (one.done & bit) {
        const without = { state: one.state, done: one.done & ~bit }
        kept.set(this.#key(without), without)
      } else open.push(...this.#next(one))
    }
    this.#slots[slot] = undefined
    if (kept.size === 0) return false
    this.#candidates = [...kept.values()]
    return true
  }

  /** Every candidate that one more write leads to. */
  *#next({ state, done }: Candidate<State>): Generator<Candidate<State>> {
    for (const [slot, operation] of this.#slots.entries()) {
      const bit = 1n << BigInt(slot)
      if (!operation || done & bit || this.#model.isRead(operation.step)) continue
      const next = this.#model.apply(state, operation.step)
      if (next !== undefined) yield this.#withReads({ state: next, done: done | bit })
    }
  }

  /** Reads change nothing, so each is done as soon as the state explains it. */
  #withReads({ state, done }: Candidate<State>): Candidate<State> {
    let all = done
    for (const [slot, operation] of this.#slots.entries()) {
      const isOpen = operation && !(all & (1n << BigInt(slot))) && this.#model.isRead(operation.step)
      if (isOpen && this.#model.apply(state, operation.step) !== undefined) all |= 1n << BigInt(slot)
    }
    return { state, done: all }
  }

  #key({ state, done }: Candidate<State>): string {
    return `${done.toString(36)} ${this.#model.key(state)}`
  }
}
