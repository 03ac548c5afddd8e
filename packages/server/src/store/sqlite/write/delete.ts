/** Deletes on SQLite. A large one is only prepared here: its statements are run on a thread. */
import type { Value } from '@nomen/core'
import { immediate } from '../../../foundation/maybe-promise.ts'
import { decideDelete } from '../../decide/delete.ts'
import type { Counted, Referrers } from '../../decide/refusal.ts'
import type { Outcome, RecordOutcome } from '../../outcome.ts'
import type { DeletePlan, Values } from '../../plan.ts'
import { type DeleteInput, type DeleteStep, dependentsQuery } from '../../sql/delete-steps.ts'
import { rowFilterKey } from '../../sql/filter.ts'
import { deleteQuery, sameVersionQuery } from '../../sql/record-query.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { compile, type Statement } from '../statement.ts'
import type { WriteContext } from './context.ts'
import type { BoundStatement, LargeDelete } from './thread.ts'

/** A delete that removes or changes at least this number of other rows is large. */
const largeDelete = 1000

/** A delete that nothing refuses. */
interface ValidDelete {
  readonly kind: 'valid'
  readonly shown: RecordOutcome
  /** The record as it is stored, if the plan wants it. */
  readonly record: Values | undefined
  readonly input: DeleteInput
  readonly steps: readonly DeleteStep[]
}

/** Deletes a record and all that goes with it. To be called within a savepoint. */
export function remove(context: WriteContext, plan: DeletePlan): Outcome {
  const decision = decide(context, plan)
  if (decision.kind !== 'valid') return decision
  const { shown, record, input, steps } = decision
  const { noun } = plan.operation.shape
  if (record) plan.seeing?.(record)
  for (const [index, step] of steps.entries())
    if (step.kind === 'change') statementOf(context, plan, step, index).run(input)
  context.prepared<Value>(`delete ${noun.name}`, () => deleteQuery(noun)).run(shown.identity)
  return shown
}

/** Whether so many rows go with a record that other requests would wait for its delete. */
export function isLarge(context: WriteContext, { operation, key }: DeletePlan): boolean {
  const stored = context.stored(operation)
  const query = context.prepared<DeleteInput>(`dependents ${stored.noun.name}`, () => {
    return dependentsQuery(context.deleteSteps(stored, undefined), largeDelete + 1) ?? sql`select 0`
  })
  return Number(query.first({ key, now: '' })?.[0]) > largeDelete
}

export type PreparedDelete = ValidDelete & { readonly statements: LargeDelete }

/** The outcome of a delete, and the statements that do it elsewhere; only the outcome if it is refused. */
export function prepareDelete(context: WriteContext, plan: DeletePlan): Outcome | PreparedDelete {
  const decision = decide(context, plan)
  if (decision.kind !== 'valid') return decision
  const { shown, input, steps } = decision
  const { noun } = plan.operation.shape
  const statements = {
    unchanged: bound(sameVersionQuery(noun), { key: shown.identity, version: shown.version }),
    counts: steps.flatMap((step) => (step.kind === 'count' ? [bound(step.query, input)] : [])),
    changes: steps.flatMap((step) => (step.kind === 'change' ? [bound(step.some, input)] : [])),
    removal: bound(deleteQuery(noun), shown.identity),
  }
  return { ...decision, statements }
}

function decide(context: WriteContext, plan: DeletePlan): Outcome | ValidDelete {
  const { operation, now, rowFilter } = plan
  const shown = context.path.missingAncestor(plan) ?? context.path.record(plan)
  if (shown.kind !== 'record') return shown
  const steps = context.deleteSteps(context.stored(operation), rowFilter)
  const input = { key: shown.identity, now, rowFilter }
  const referrers = () =>
    steps.flatMap((step, index): Referrers[] => {
      if (step.kind !== 'count') return []
      const row = statementOf(context, plan, step, index).first(input) ?? [0]
      return [{ noun: step.noun, field: step.field, counted: row as Counted }]
    })
  const refusal = immediate(decideDelete(plan, shown, referrers))
  if (refusal) return refusal
  return { kind: 'valid', shown, record: plan.seeing && context.current(operation, plan)?.record, input, steps }
}

function statementOf(
  context: WriteContext,
  { operation, rowFilter }: DeletePlan,
  { query }: DeleteStep,
  index: number,
): Statement<DeleteInput> {
  return context.prepared(`delete ${operation.shape.noun.name} ${index}${rowFilterKey(rowFilter)}`, () => query)
}

function bound<Input>(query: Sql, input: Input): BoundStatement {
  const { text, bind } = compile<Input>(query)
  return { text, values: bind(input) }
}
