/** The reads of write decisions on PostgreSQL, on any connection or on that of a transaction. */
import type { AnyLink, AnyNoun, Value } from '@nomen/core'
import type { DecisionReads } from '../../decide/decision-reads.ts'
import type { RecordCount, Target } from '../../decide/rejection.ts'
import type { Outcome } from '../../outcome.ts'
import type { ChangePlan, Condition, CreatePlan } from '../../plan.ts'
import { linkCountQuery, visibleLinkCountQuery } from '../../sql/link-query.ts'
import type { RecordInput } from '../../sql/record-query.ts'
import { type AfterWriteInput, conditionsAfterWrite, conditionsAfterWriteKey } from '../../sql/write-check.ts'
import type { Run } from '../connect/database.ts'
import { postgresDialect } from '../dialect.ts'
import { missingAncestor } from '../read/row-outcome.ts'
import type { WriteContext } from './context.ts'
import { type MissingInput, missingQuery } from './path-query.ts'

export class PostgresDecisionReads implements DecisionReads {
  /** A read would be a round trip, and constraints reject the same. */
  readonly reliesOnConstraints = true
  readonly #context: WriteContext
  readonly #run: Run

  constructor(context: WriteContext, run: Run = context.database.readShort) {
    this.#context = context
    this.#run = run
  }

  async findRepeated({ idempotency, now }: CreatePlan): Promise<Outcome | undefined> {
    return idempotency && this.#context.shared.keys.find({ idempotency, now }, this.#context.database)
  }

  async findMissing(plan: CreatePlan | ChangePlan, targets: readonly Target[]): Promise<Outcome | readonly Target[]> {
    const { operation, ancestors, rowFilter } = plan
    const numberOfAncestors = operation.levels.length - 1
    if (numberOfAncestors + targets.length === 0) return []
    const fields = targets.map((target) => (target.rowFilter ? `!${target.field}` : target.field))
    const statement = this.#context.statement<MissingInput>(plan, `missing ${fields}`, () =>
      missingQuery(operation, targets, rowFilter),
    )
    const [row = []] = await this.#run(statement, { ancestors, targets, rowFilter })
    const missing = targets.filter((_, index) => row[numberOfAncestors + index] === 'f')
    return missingAncestor(row.slice(0, numberOfAncestors)) ?? missing
  }

  async findUnsatisfied(
    plan: CreatePlan | ChangePlan,
    conditions: readonly Condition[],
  ): Promise<readonly Condition[]> {
    const { operation, kind, values } = plan
    const { noun } = operation.shape
    const input = { key: kind === 'change' ? plan.key : null, values, conditions }
    const statement = this.#context.statement<AfterWriteInput>(
      { operation },
      conditionsAfterWriteKey(noun, input),
      () => conditionsAfterWrite(postgresDialect, noun, input),
    )
    const [row = []] = await this.#run(statement, input)
    return conditions.filter((_, index) => Number(row[index]) !== 1)
  }

  async countLinked(plan: ChangePlan, link: AnyLink, noun: AnyNoun, key: Value): Promise<RecordCount> {
    const { rowFilter } = plan
    const query = () =>
      rowFilter ? visibleLinkCountQuery(postgresDialect, link, noun, rowFilter) : linkCountQuery(link, noun)
    const [row = []] = await this.#run(
      this.#context.statement<Value | Pick<RecordInput, 'key' | 'rowFilter'>>(plan, `linked ${link.name}`, query),
      rowFilter ? { key, rowFilter } : key,
    )
    const [count = 0, visible] = row.map(Number)
    return [count, visible]
  }
}
