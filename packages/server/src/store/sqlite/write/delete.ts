/** Deletes on SQLite: their statements, and the parts of a large one, which is done on a thread. */
import { immediate } from '../../../foundation/maybe-promise.ts'
import { decideDelete } from '../../decide/delete.ts'
import type { Lookups } from '../../decide/lookups.ts'
import type { StoredNoun } from '../../model.ts'
import type { Outcome } from '../../outcome.ts'
import type { DeletePlan, RowFilter, Values } from '../../plan.ts'
import { type DeleteInput, type DeleteStep, dependentsQuery } from '../../sql/delete-steps.ts'
import { sightKey } from '../../sql/filter.ts'
import { deleteQuery, sameVersionQuery } from '../../sql/record-query.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { compile, type Statement } from '../statement.ts'
import type { WriteContext } from './context.ts'
import type { BoundStatement, LargeDelete } from './thread.ts'

/** A delete that removes or changes at least this number of other rows is large. */
const largeDelete = 1000

/** A delete that is done elsewhere, in one transaction. */
export interface PreparedDelete {
  readonly kind: 'prepared'
  readonly outcome: Outcome
  /** The record as it is stored, if the plan wants it. */
  readonly record: Values | undefined
  readonly statements: LargeDelete
}

export function deleteStatement(
  context: WriteContext,
  { noun }: StoredNoun,
  { query }: DeleteStep,
  index: number,
  sight: RowFilter | undefined,
): Statement<DeleteInput> {
  return context.prepared(`delete ${noun.name} ${index}${sightKey(sight)}`, () => query)
}

/** Whether so many rows go with a record that other requests would wait for its delete. */
export function isLarge(context: WriteContext, { operation, key }: DeletePlan): boolean {
  const stored = context.stored(operation)
  const query = context.prepared<DeleteInput>(`dependents ${stored.noun.name}`, () => {
    return dependentsQuery(context.deleteSteps(stored, undefined), largeDelete + 1) ?? sql`select 0`
  })
  return Number(query.first({ key, now: '' })?.[0]) > largeDelete
}

/** The outcome of a delete, and the statements that do it elsewhere; only the outcome if it is refused. */
export function prepareDelete(context: WriteContext, lookups: Lookups, plan: DeletePlan): Outcome | PreparedDelete {
  const { operation, now, sight } = plan
  const outcome = context.path.missingAncestor(plan) ?? context.path.record(plan)
  if (outcome.kind !== 'record') return outcome
  const refusal = immediate(decideDelete(lookups, plan, outcome))
  if (refusal) return refusal
  const stored = context.stored(operation)
  const { identity: key, version } = outcome
  const input = { key, now, sight }
  const steps = context.deleteSteps(stored, sight)
  const statements = {
    unchanged: bound(sameVersionQuery(stored.noun), { key, version }),
    counts: steps.flatMap((step) => (step.kind === 'count' ? [bound(step.query, input)] : [])),
    changes: steps.flatMap((step) => (step.kind === 'change' ? [bound(step.some, input)] : [])),
    removal: bound(deleteQuery(stored.noun), key),
  }
  return { kind: 'prepared', outcome, record: plan.seeing && context.current(operation, plan)?.record, statements }
}

function bound<Input>(query: Sql, input: Input): BoundStatement {
  const { text, bind } = compile<Input>(query)
  return { text, values: bind(input) }
}
