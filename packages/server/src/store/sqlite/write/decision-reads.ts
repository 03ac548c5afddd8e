/** The reads of write decisions on SQLite, within the write transaction. */
import type { AnyLink, AnyNoun, Value } from '@nomen/core'
import type { DecisionReads } from '../../decide/decision-reads.ts'
import type { RecordCount, Target } from '../../decide/rejection.ts'
import type { Outcome } from '../../outcome.ts'
import type { ChangePlan, Condition, CreatePlan, RowFilter } from '../../plan.ts'
import { rowFilterKey } from '../../sql/condition-key.ts'
import { linkCountQuery, visibleLinkCountQuery } from '../../sql/link-query.ts'
import { existsQuery, type RecordInput, visibleQuery } from '../../sql/record-query.ts'
import { type AfterWriteInput, conditionsAfterWrite, conditionsAfterWriteKey } from '../../sql/write-check.ts'
import { sqliteDialect } from '../dialect.ts'
import type { WriteContext } from './context.ts'
import type { IdempotencyKeys } from './idempotency-keys.ts'

/** The key of a record, and the visibility of the caller. */
type VisibleKey = Pick<RecordInput, 'key' | 'rowFilter'>

export class SqliteDecisionReads implements DecisionReads {
  /** A read costs less here than a failed statement. */
  readonly reliesOnConstraints = false
  readonly #context: WriteContext
  readonly #keys: IdempotencyKeys

  constructor(context: WriteContext, keys: IdempotencyKeys) {
    this.#context = context
    this.#keys = keys
  }

  findRepeated({ idempotency, now }: CreatePlan): Outcome | undefined {
    return idempotency && this.#keys.find(idempotency, now)
  }

  /** A change has already read its record below its ancestors. */
  findMissing(plan: CreatePlan | ChangePlan, targets: readonly Target[]): Outcome | readonly Target[] {
    const missing = plan.kind === 'create' ? this.#context.path.missingAncestor(plan) : undefined
    return missing ?? targets.filter(({ noun, value, rowFilter }) => !this.isVisible(noun, value, rowFilter))
  }

  findUnsatisfied(plan: CreatePlan | ChangePlan, conditions: readonly Condition[]): readonly Condition[] {
    const { noun } = plan.operation.shape
    const input = { key: plan.kind === 'change' ? plan.key : null, values: plan.values, conditions }
    const query = () => conditionsAfterWrite(sqliteDialect, noun, input)
    const row = this.#context.statement<AfterWriteInput>(conditionsAfterWriteKey(noun, input), query).first(input)
    return conditions.filter((_, index) => Number(row?.[index]) !== 1)
  }

  countLinked({ rowFilter }: ChangePlan, link: AnyLink, noun: AnyNoun, key: Value): RecordCount {
    const name = `linked ${link.name} ${noun.name}`
    if (!rowFilter)
      return [Number(this.#context.statement<Value>(name, () => linkCountQuery(link, noun)).first(key)?.[0])]
    const query = () => visibleLinkCountQuery(sqliteDialect, link, noun, rowFilter)
    const statement = this.#context.statement<VisibleKey>(`${name}${rowFilterKey(rowFilter)}`, query)
    return statement.first({ key, rowFilter }) as RecordCount
  }

  /** Whether a record exists and is visible. */
  isVisible(noun: AnyNoun, key: Value, rowFilter: RowFilter | undefined): boolean {
    if (!rowFilter?.[noun.name]) {
      return this.#context.statement<Value>(`exists ${noun.name}`, () => existsQuery(noun)).first(key) !== undefined
    }
    const query = () => visibleQuery(sqliteDialect, noun, rowFilter)
    const statement = this.#context.statement<VisibleKey>(`visible ${noun.name}${rowFilterKey(rowFilter)}`, query)
    return statement.first({ key, rowFilter }) !== undefined
  }
}
