/** Runs the hooks of a service beside its answers: the changes of one record in their order, those of others at once. */
import type { AnyNoun, Operation, Value } from '@nomen/core'
import type { Caller } from '../../define/caller.ts'
import type { Change, Hook } from '../../define/hook.ts'
import type { Outcome } from '../../store/outcome.ts'
import type { Plan, Values } from '../../store/plan.ts'
import type { Transaction } from '../../store/store.ts'
import type { RequestTrace } from '../request-trace.ts'
import { ChangeOrder, type Write } from './change-order.ts'

type Report = (message: string, error: unknown) => void

/** Whose write it is, and what it is a part of. */
export interface Origin {
  readonly caller: Caller
  readonly requestId: string
  readonly transaction?: Transaction | undefined
  readonly watch?: RequestTrace | undefined
}

/** Sends a plan to the store, and queues its hooks once the change is durable. */
export type ChangeNotifier = (
  plan: Plan,
  origin: Origin,
  run: (plan: Plan) => Outcome | Promise<Outcome>,
) => Promise<Outcome>

/** How long a close waits for hooks under way, in milliseconds. */
const closeTimeoutMs = 10_000

export class Hooks {
  readonly #hooks: readonly Hook[]
  readonly #report: Report
  readonly #orders = new Map<AnyNoun, ChangeOrder>()
  /** What is being told of records, the last of each. */
  readonly #last = new Map<string, Promise<void>>()
  /** Writes under way, and changes that are not told to the end. */
  #numberOpen = 0
  #whenNone: (() => void) | undefined

  constructor(hooks: readonly Hook[], report: Report) {
    this.#hooks = hooks
    this.#report = report
  }

  /** Undefined if an operation has no hooks. */
  notifierFor({ kind, shape: { noun } }: Operation): ChangeNotifier | undefined {
    const isChange = kind === 'create' || kind === 'replace' || kind === 'update' || kind === 'delete'
    const own = this.#hooks.filter((hook) => hook.noun === noun)
    if (!isChange || own.length === 0) return undefined
    const order = this.#orders.get(noun) ?? new ChangeOrder()
    this.#orders.set(noun, order)
    return async (plan, { transaction, watch, ...origin }, run) => {
      const write = order.begin('key' in plan ? plan.key : undefined)
      this.#numberOpen++
      const { observed, changeIn } = captureChange(plan)
      const nothing = (begun: Write) => {
        order.end(begun)
        this.#close()
      }
      const outcome = await (async () => run(observed))().catch((error) => {
        nothing(write)
        throw error
      })
      const change = outcome.kind === 'record' && !outcome.isReplay ? changeIn(outcome.identity) : undefined
      if (!change || outcome.kind !== 'record') {
        nothing(write)
        return outcome
      }
      const { identity } = outcome
      // What is deleted had its last version already.
      const version = change.kind === 'delete' ? outcome.version + 1 : outcome.version
      const queue = () => this.#queue(own, identity, { ...change, ...origin } as Change<Values>)
      // Another request may release a change that was held.
      const tell = watch ? () => watch.run(queue) : queue
      const done = (begun: Write) => order.end(begun, { identity, version, tell })
      if (!transaction) {
        done(write)
        return outcome
      }
      // Until all of it is done only changes of this record wait, whose identity is known by now.
      const part = order.begin(identity)
      order.end(write)
      transaction.atEnd((isDone) => (isDone ? done(part) : nothing(part)))
      return outcome
    }
  }

  /** Waits for hooks under way; when that takes too long, it is said how many were left. */
  async ended(): Promise<void> {
    if (this.#numberOpen === 0) return
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>((resolve) => {
      this.#whenNone = resolve
      timer = setTimeout(resolve, closeTimeoutMs)
    })
    clearTimeout(timer)
    if (this.#numberOpen === 0) return
    const left = this.#numberOpen === 1 ? 'a hook was' : `${this.#numberOpen} hooks were`
    this.#report(`The service closes while ${left} still under way after ${closeTimeoutMs / 1000} seconds.`, undefined)
  }

  #queue(hooks: readonly Hook[], identity: Value, change: Change<Values>): void {
    const name = `${hooks[0]?.noun.name} ${identity}`
    const told = (this.#last.get(name) ?? Promise.resolve()).then(() => this.#tell(hooks, name, change))
    this.#last.set(name, told)
    told.then(() => {
      if (this.#last.get(name) === told) this.#last.delete(name)
      this.#close()
    })
  }

  async #tell(hooks: readonly Hook[], name: string, change: Change<Values>): Promise<void> {
    for (const { tell } of hooks) {
      try {
        await tell(change)
      } catch (error) {
        this.#report(`A hook failed after the ${change.kind} of ${name}, which is done.`, error)
      }
    }
  }

  #close(): void {
    this.#numberOpen--
    if (this.#numberOpen === 0) this.#whenNone?.()
  }
}

type Difference = Pick<Change<Values>, 'kind' | 'record' | 'previous'>

/** The plan in a form in which the store shows the record that it changes, and the change once it is done. */
function captureChange(plan: Plan): {
  readonly observed: Plan
  readonly changeIn: (identity: Value) => Difference | undefined
} {
  if (plan.kind === 'create') {
    const { fields, identity: name } = plan.operation.shape.noun
    const whole = (identity: Value): Values =>
      Object.fromEntries(
        Object.keys(fields).map((field) => [field, field === name ? identity : (plan.values[field] ?? null)]),
      )
    return { observed: plan, changeIn: (identity) => ({ kind: 'create', record: whole(identity) }) }
  }
  // A store may have to try more than once: what it saw last counts.
  let seen: Difference | undefined
  if (plan.kind === 'change') {
    const { check } = plan
    const seeing = (record: Values, previous: Values | undefined) => {
      if (previous) seen = { kind: 'update', record, previous }
      return check?.(record, previous)
    }
    return { observed: { ...plan, check: seeing }, changeIn: () => seen }
  }
  if (plan.kind !== 'delete') return { observed: plan, changeIn: () => undefined }
  const seeing = (record: Values) => {
    seen = { kind: 'delete', record }
  }
  return { observed: { ...plan, seeing }, changeIn: () => seen }
}
