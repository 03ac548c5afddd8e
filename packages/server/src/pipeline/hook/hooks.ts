/** Runs after-commit hooks without delaying responses: in order for each record, concurrently for different records. */

import type { AnyNoun, Operation, Value } from '@nomen/core'
import type { Caller } from '../../define/caller/caller.ts'
import type { Change, Hook } from '../../define/hook.ts'
import type { Report } from '../../observe/fault-report.ts'
import type { Outcome } from '../../store/outcome.ts'
import type { Plan, Values } from '../../store/plan.ts'
import type { Transaction } from '../../store/store.ts'
import type { RequestTrace } from '../request-trace.ts'
import { ChangeOrder, type Write } from './change-order.ts'

/** The request of a write, and the transaction that it is part of. */
export interface WriteRequest {
  readonly caller: Caller
  readonly requestId: string
  readonly transaction?: Transaction | undefined
  readonly trace?: RequestTrace | undefined
}

/** Runs a plan on the store, and queues its hooks once the change is durable. */
export type ChangeNotifier = (
  plan: Plan,
  origin: WriteRequest,
  run: (plan: Plan) => Outcome | Promise<Outcome>,
) => Promise<Outcome>

/** How long `whenIdle` waits for running hooks. */
const closeTimeoutMs = 10_000

export class Hooks {
  readonly #hooks: readonly Hook[]
  readonly #report: Report
  readonly #orders = new Map<AnyNoun, ChangeOrder>()
  /** The last queued hook run of each record. */
  readonly #lastRuns = new Map<string, Promise<void>>()
  /** The number of running writes and of changes whose hooks have not finished. */
  #numberOpen = 0
  #onIdle: (() => void) | undefined

  constructor(hooks: readonly Hook[], report: Report) {
    this.#hooks = hooks
    this.#report = report
  }

  /** Undefined if an operation has no hooks. */
  notifierFor({ kind, shape: { noun } }: Operation): ChangeNotifier | undefined {
    const isChange = kind === 'create' || kind === 'replace' || kind === 'update' || kind === 'delete'
    const nounHooks = this.#hooks.filter((hook) => hook.noun === noun)
    if (!isChange || nounHooks.length === 0) return undefined
    const order = this.#orders.get(noun) ?? new ChangeOrder()
    this.#orders.set(noun, order)
    return async (plan, { transaction, trace, ...origin }, run) => {
      const write = order.begin('key' in plan ? plan.key : undefined)
      this.#numberOpen++
      const { observedPlan, changeIn } = captureChange(plan)
      const endUnchanged = (write: Write) => {
        order.end(write)
        this.#countEnd()
      }
      const outcome = await (async () => run(observedPlan))().catch((error) => {
        endUnchanged(write)
        throw error
      })
      const change = outcome.kind === 'record' && !outcome.isReplay ? changeIn(outcome.identity) : undefined
      if (!change || outcome.kind !== 'record') {
        endUnchanged(write)
        return outcome
      }
      const { identity } = outcome
      // A delete returns the last version of the record, so its own place in the order is one later.
      const version = change.kind === 'delete' ? outcome.version + 1 : outcome.version
      const queue = () => this.#queue(nounHooks, identity, { ...change, ...origin } as Change<Values>)
      // Another request may release a deferred change, so the trace of this one is restored.
      const notify = trace ? () => trace.run(queue) : queue
      const endChanged = (write: Write) => order.end(write, { identity, version, notify })
      if (!transaction) {
        endChanged(write)
        return outcome
      }
      // The identity is known by now, so until the transaction ends only changes of this record wait for it.
      const deferredWrite = order.begin(identity)
      order.end(write)
      transaction.atEnd((isCommitted) => (isCommitted ? endChanged(deferredWrite) : endUnchanged(deferredWrite)))
      return outcome
    }
  }

  /** Waits for running hooks, up to a timeout, and reports how many were still running then. */
  async whenIdle(): Promise<void> {
    if (this.#numberOpen === 0) return
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
      timer = setTimeout(resolve, closeTimeoutMs)
    })
    clearTimeout(timer)
    if (this.#numberOpen === 0) return
    const hooks = this.#numberOpen === 1 ? '1 hook was' : `${this.#numberOpen} hooks were`
    this.#report(`The service closed while ${hooks} still running after ${closeTimeoutMs / 1000} seconds.`, undefined)
  }

  #queue(hooks: readonly Hook[], identity: Value, change: Change<Values>): void {
    const name = `${hooks[0]?.noun.name} ${identity}`
    const run = (this.#lastRuns.get(name) ?? Promise.resolve()).then(() => this.#run(hooks, name, change))
    this.#lastRuns.set(name, run)
    run.then(() => {
      if (this.#lastRuns.get(name) === run) this.#lastRuns.delete(name)
      this.#countEnd()
    })
  }

  async #run(hooks: readonly Hook[], name: string, change: Change<Values>): Promise<void> {
    for (const { run } of hooks) {
      try {
        await run(change as Change<never>)
      } catch (error) {
        this.#report(
          `A hook failed after the ${change.kind} of ${name}. The ${change.kind} itself is committed.`,
          error,
        )
      }
    }
  }

  #countEnd(): void {
    this.#numberOpen--
    if (this.#numberOpen === 0) this.#onIdle?.()
  }
}

type Difference = Pick<Change<Values>, 'kind' | 'record' | 'previous'>

/** Extends a plan so that the store passes the record that it changes, and returns the change afterwards. */
function captureChange(plan: Plan): {
  readonly observedPlan: Plan
  readonly changeIn: (identity: Value) => Difference | undefined
} {
  // A store may try more than once. The last attempt counts.
  let difference: Difference | undefined
  if (plan.kind === 'create' || plan.kind === 'change') {
    const { check } = plan
    const captureAndCheck = (record: Values, previous: Values | undefined) => {
      difference = previous ? { kind: 'update', record, previous } : { kind: 'create', record }
      return check?.(record, previous)
    }
    const { noun } = plan.operation.shape
    const changeIn = (identity: Value) =>
      difference?.kind === 'create' ? createdRecord(noun, difference.record, identity) : difference
    return { observedPlan: { ...plan, check: captureAndCheck }, changeIn }
  }
  if (plan.kind !== 'delete') return { observedPlan: plan, changeIn: () => undefined }
  const onRecord = (record: Values) => {
    difference = { kind: 'delete', record }
  }
  return { observedPlan: { ...plan, onRecord }, changeIn: () => difference }
}

/** The created record with all fields, and with the identity that the database may have generated. */
function createdRecord({ fields, identity: name }: AnyNoun, values: Values, identity: Value): Difference {
  const record = Object.keys(fields).map((field) => [field, field === name ? identity : (values[field] ?? null)])
  return { kind: 'create', record: Object.fromEntries(record) }
}
