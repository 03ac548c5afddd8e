/** Deletes on SQLite. A large delete is only prepared here; its statements run on a thread. */
import type { Value } from '@nomen/core'
import { immediate } from '../../../foundation/maybe-promise.ts'
import { decideDelete } from '../../decide/delete.ts'
import type { RecordCount, Referrers } from '../../decide/rejection.ts'
import type { Outcome, RecordOutcome } from '../../outcome.ts'
import type { DeletePlan, Values } from '../../plan.ts'
import { rowFilterKey } from '../../sql/condition-key.ts'
import { type DeleteInput, type DeleteStep, dependentsQuery } from '../../sql/delete-steps.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { deleteQuery, sameVersionQuery } from '../../sql/write-query.ts'
import { compile, type Statement } from '../statement.ts'
import type { WriteContext } from './context.ts'
import type { BoundStatement, LargeDelete } from './large-delete-thread.ts'

/** A delete that affects more other rows is large. */
const largeDeleteRows = 1000

/** A delete that is not rejected. */
interface ValidDelete {
  readonly kind: 'valid'
  readonly outcome: RecordOutcome
  /** The stored record, if the plan needs it. */
  readonly record: Values | undefined
  readonly input: DeleteInput
  readonly steps: readonly DeleteStep[]
}

/** Deletes a record and its dependents. Call it within a savepoint. */
export function deleteRecord(context: WriteContext, plan: DeletePlan): Outcome {
  const decision = checkDelete(context, plan)
  if (decision.kind !== 'valid') return decision
  const { outcome, record, input, steps } = decision
  const { noun } = plan.operation.shape
  if (record) plan.onRecord?.(record)
  for (const [index, step] of steps.entries())
    if (step.kind === 'change') stepStatement(context, plan, step, index).run(input)
  context.statement<Value>(`delete ${noun.name}`, () => deleteQuery(noun)).run(outcome.identity)
  return outcome
}

/** Whether a delete affects so many rows that other requests would wait for it. */
export function isLargeDelete(context: WriteContext, { operation, key }: DeletePlan): boolean {
  const stored = context.storedNoun(operation)
  const query = context.statement<DeleteInput>(`dependents ${stored.noun.name}`, () => {
    return dependentsQuery(context.deleteSteps(stored, undefined), largeDeleteRows + 1) ?? sql`select 0`
  })
  return Number(query.first({ key, now: '' })?.[0]) > largeDeleteRows
}

export type PreparedDelete = ValidDelete & { readonly statements: LargeDelete }

/** The outcome of a delete with its statements for the thread; only the outcome if it is rejected. */
export function prepareDelete(context: WriteContext, plan: DeletePlan): Outcome | PreparedDelete {
  const decision = checkDelete(context, plan)
  if (decision.kind !== 'valid') return decision
  const { outcome, input, steps } = decision
  const { noun } = plan.operation.shape
  const statements = {
    versionCheck: boundStatement(sameVersionQuery(noun), { key: outcome.identity, version: outcome.version }),
    counts: steps.flatMap((step) => (step.kind === 'count' ? [boundStatement(step.query, input)] : [])),
    changes: steps.flatMap((step) => (step.kind === 'change' ? [boundStatement(step.batchQuery, input)] : [])),
    deleteRecord: boundStatement(deleteQuery(noun), outcome.identity),
    ...(plan.origin && { origin: plan.origin }),
  }
  return { ...decision, statements }
}

function checkDelete(context: WriteContext, plan: DeletePlan): Outcome | ValidDelete {
  const { operation, now, rowFilter } = plan
  const outcome = context.path.missingAncestor(plan) ?? context.path.record(plan)
  if (outcome.kind !== 'record') return outcome
  const steps = context.deleteSteps(context.storedNoun(operation), rowFilter)
  const input = { key: outcome.identity, now, rowFilter }
  const referrers = () =>
    steps.flatMap((step, index): Referrers[] => {
      if (step.kind !== 'count') return []
      const row = stepStatement(context, plan, step, index).first(input) ?? [0]
      return [{ noun: step.noun, field: step.field, count: row as RecordCount }]
    })
  const rejection = immediate(decideDelete(plan, outcome, referrers))
  if (rejection) return rejection
  return {
    kind: 'valid',
    outcome,
    record: plan.onRecord && context.currentRecord(operation, plan)?.record,
    input,
    steps,
  }
}

function stepStatement(
  context: WriteContext,
  { operation, rowFilter }: DeletePlan,
  { query }: DeleteStep,
  index: number,
): Statement<DeleteInput> {
  return context.statement(`delete ${operation.shape.noun.name} ${index}${rowFilterKey(rowFilter)}`, () => query)
}

function boundStatement<Input>(query: Sql, input: Input): BoundStatement {
  const { text, bind } = compile<Input>(query)
  return { text, values: bind(input) }
}
