/** Deletes a record with what it owns, in one transaction that holds the record from its first statement on. */
import type { Value } from '@nomen/core'
import { refused } from '../../decision.ts'
import type { DeletePlan, Outcome } from '../../plan.ts'
import type { DeleteInput, DeleteStep } from '../../sql/delete-steps.ts'
import { deleteQuery, type RecordInput } from '../../sql/record-query.ts'
import { foundOutcome } from '../row.ts'
import type { Statement } from '../statement.ts'
import type { WriteContext } from './write-context.ts'
import { lock, readBelow } from './write-query.ts'

/**
 * While the record is held nobody can come to point at it. At what it owns somebody may: the last statement then fails,
 * and all is to be done again.
 */
export function remove(context: WriteContext, plan: DeletePlan): Promise<Outcome> {
  const { operation, match, now } = plan
  const { counts, changes, last } = statements(context, plan)
  return context.database.transaction(async (connection) => {
    const [row] = await connection.run(heldRead(context, plan), plan)
    const shown = foundOutcome(operation, row)
    if (shown.kind !== 'record') return shown
    const { identity, version } = shown
    if (match && !match(identity, version)) return refused({ reason: 'changed' })
    const input: DeleteInput = { key: identity, now }
    const counted = await Promise.all(counts.map(({ statement }) => connection.run(statement, input)))
    for (const [index, { noun, field }] of counts.entries()) {
      const count = Number(counted[index]?.[0]?.[0])
      if (count > 0) return refused({ reason: 'referenced', noun, field, count })
    }
    await Promise.all([...changes.map((statement) => connection.run(statement, input)), connection.run(last, identity)])
    return shown
  })
}

function heldRead(context: WriteContext, { operation }: DeletePlan): Statement<RecordInput> {
  return context.statement(operation, 'held', () => readBelow(operation, operation.shape, lock))
}

interface Statements {
  readonly counts: readonly { noun: string; field: string; statement: Statement<DeleteInput> }[]
  readonly changes: readonly Statement<DeleteInput>[]
  readonly last: Statement<Value>
}

function statements(context: WriteContext, { operation }: DeletePlan): Statements {
  const stored = context.stored(operation)
  const compiled = ({ query }: DeleteStep, index: number) =>
    context.statement<DeleteInput>(operation, `${index}`, () => query)
  const steps = context.deleteSteps(stored)
  return {
    counts: steps.flatMap((step, index) =>
      step.kind === 'count' ? [{ noun: step.noun, field: step.field, statement: compiled(step, index) }] : [],
    ),
    changes: steps.flatMap((step, index) => (step.kind === 'change' ? [compiled(step, index)] : [])),
    last: context.statement(operation, 'last', () => deleteQuery(stored.noun)),
  }
}
