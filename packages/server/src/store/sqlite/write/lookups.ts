/** What decisions about writes look up on SQLite, within the transaction that writes. */
import type { AnyLink, AnyNoun, Value } from '@nomen/core'
import type { Lookups } from '../../decide/lookups.ts'
import type { Counted, Target } from '../../decide/refusal.ts'
import type { Outcome } from '../../outcome.ts'
import type { ChangePlan, CreatePlan, RowFilter } from '../../plan.ts'
import { rowFilterKey } from '../../sql/filter.ts'
import { existsQuery, linkCountQuery, type RecordInput, seenLinkCountQuery, seenQuery } from '../../sql/record-query.ts'
import { sqliteDialect } from '../dialect.ts'
import type { WriteContext } from './context.ts'
import type { IdempotencyKeys } from './idempotency-keys.ts'

/** A record, and the records that the caller sees. */
type VisibleKey = Pick<RecordInput, 'key' | 'rowFilter'>

export class SqliteLookups implements Lookups {
  /** A lookup costs less here than a statement that fails. */
  readonly isEnforced = false
  readonly #context: WriteContext
  readonly #keys: IdempotencyKeys

  constructor(context: WriteContext, keys: IdempotencyKeys) {
    this.#context = context
    this.#keys = keys
  }

  repeated({ idempotency, now }: CreatePlan): Outcome | undefined {
    return idempotency && this.#keys.find(idempotency, now)
  }

  /** A change has read its record below its ancestors. */
  missing(plan: CreatePlan | ChangePlan, targets: readonly Target[]): Outcome | readonly Target[] {
    const missing = plan.kind === 'create' ? this.#context.path.missingAncestor(plan) : undefined
    return missing ?? targets.filter(({ noun, value, rowFilter }) => !this.isVisible(noun, value, rowFilter))
  }

  linked({ rowFilter }: ChangePlan, link: AnyLink, noun: AnyNoun, key: Value): Counted {
    const name = `linked ${link.name} ${noun.name}`
    if (!rowFilter)
      return [Number(this.#context.prepared<Value>(name, () => linkCountQuery(link, noun)).first(key)?.[0])]
    const query = () => seenLinkCountQuery(sqliteDialect, link, noun, rowFilter)
    const statement = this.#context.prepared<VisibleKey>(`${name}${rowFilterKey(rowFilter)}`, query)
    return statement.first({ key, rowFilter }) as Counted
  }

  /** Whether a record exists and is visible. */
  isVisible(noun: AnyNoun, key: Value, rowFilter: RowFilter | undefined): boolean {
    if (!rowFilter?.[noun.name]) {
      return this.#context.prepared<Value>(`exists ${noun.name}`, () => existsQuery(noun)).first(key) !== undefined
    }
    const query = () => seenQuery(sqliteDialect, noun, rowFilter)
    const statement = this.#context.prepared<VisibleKey>(`seen ${noun.name}${rowFilterKey(rowFilter)}`, query)
    return statement.first({ key, rowFilter }) !== undefined
  }
}
