/** The statements of a delete, by what they do. */
import type { Value } from '@nomen/core'
import type { DeletePlan } from '../../plan.ts'
import type { DeleteInput, DeleteStep } from '../../sql/delete-steps.ts'
import { deleteQuery } from '../../sql/record-query.ts'
import { sql } from '../../sql/sql.ts'
import type { Statement } from '../statement.ts'
import type { WriteContext } from './context.ts'

interface DeleteStatements {
  /** Lock the records that the record owns. */
  readonly locks: readonly Statement<DeleteInput>[]
  /** Count the records that point at one that goes. */
  readonly counts: readonly { noun: string; field: string; statement: Statement<DeleteInput> }[]
  /** Delete what goes with the record, and clear references to it. */
  readonly changes: readonly Statement<DeleteInput>[]
  readonly removal: Statement<Value>
}

export function deleteStatements(context: WriteContext, plan: DeletePlan): DeleteStatements {
  const stored = context.stored(plan.operation)
  const compiled = ({ query }: DeleteStep, index: number) =>
    context.statement<DeleteInput>(plan, `${index}`, () => query)
  const steps = context.shared.deleteSteps(stored, plan.sight)
  return {
    locks: steps.flatMap(({ kind, query }, index) =>
      kind === 'own' ? [compiled({ kind, query: sql`${query} for update` }, index)] : [],
    ),
    counts: steps.flatMap((step, index) =>
      step.kind === 'count' ? [{ noun: step.noun, field: step.field, statement: compiled(step, index) }] : [],
    ),
    changes: steps.flatMap((step, index) => (step.kind === 'change' ? [compiled(step, index)] : [])),
    removal: context.statement(plan, 'last', () => deleteQuery(stored.noun)),
  }
}
