/** Deletes a record with what it owns, in one transaction that holds the record from its first statement on. */
import type { Value } from '@nomen/core'
import { type Pointing, refused, stillReferenced } from '../../decision.ts'
import type { Outcome } from '../../outcome.ts'
import type { DeletePlan, Values } from '../../plan.ts'
import type { DeleteInput, DeleteStep } from '../../sql/delete-steps.ts'
import { deleteQuery, type RecordInput, storedShape } from '../../sql/record-query.ts'
import { sql } from '../../sql/sql.ts'
import { foundOutcome } from '../row.ts'
import type { Statement } from '../statement.ts'
import type { WriteContext } from './context.ts'
import { lock, readBelow } from './query.ts'

/**
 * While the record is held nobody can come to point at it, nor at what it owns: a foreign key that another program has
 * made to cascade would delete what was never counted.
 */
export function remove(context: WriteContext, plan: DeletePlan): Promise<Outcome> {
  const { operation, match, now, sight } = plan
  const { holds, counts, changes, last } = statements(context, plan)
  return context.database.transaction(async (connection) => {
    const [row] = await connection.run(heldRead(context, plan), plan)
    const shown = foundOutcome(operation, row)
    if (shown.kind !== 'record') return shown
    const { identity, version } = shown
    if (match && !match(identity, version)) return refused({ reason: 'changed' })
    const input: DeleteInput = { key: identity, now, sight }
    const [, counted] = await Promise.all([
      Promise.all(holds.map((statement) => connection.run(statement, input))),
      Promise.all(counts.map(({ statement }) => connection.run(statement, input))),
    ])
    const pointing = counts.map(({ noun, field }, index): Pointing => {
      const [count, seen = count] = counted[index]?.[0] ?? []
      return { noun, field, count: Number(count), seen: Number(seen) }
    })
    const refusal = stillReferenced(pointing)
    if (refusal) return refused(refusal)
    if (plan.seeing) {
      const [last] = await connection.run(storedRead(context, plan), plan)
      const found = foundOutcome(operation, last)
      if (found.kind === 'record') plan.seeing(JSON.parse(found.json) as Values)
    }
    await Promise.all([...changes.map((statement) => connection.run(statement, input)), connection.run(last, identity)])
    return shown
  })
}

function heldRead(context: WriteContext, plan: DeletePlan): Statement<RecordInput> {
  const { operation, sight } = plan
  return context.statement(plan, 'held', () => readBelow(operation, operation.shape, sight, lock))
}

/** All of the record, whatever the operation shows of it. */
function storedRead(context: WriteContext, plan: DeletePlan): Statement<RecordInput> {
  const { operation, sight } = plan
  return context.statement(plan, 'stored', () => readBelow(operation, storedShape(operation.shape.noun), sight))
}

interface Statements {
  readonly holds: readonly Statement<DeleteInput>[]
  readonly counts: readonly { noun: string; field: string; statement: Statement<DeleteInput> }[]
  readonly changes: readonly Statement<DeleteInput>[]
  readonly last: Statement<Value>
}

function statements(context: WriteContext, plan: DeletePlan): Statements {
  const stored = context.stored(plan.operation)
  const compiled = ({ query }: DeleteStep, index: number) =>
    context.statement<DeleteInput>(plan, `${index}`, () => query)
  const steps = context.deleteSteps(stored, plan.sight)
  return {
    holds: steps.flatMap(({ kind, query }, index) =>
      kind === 'own' ? [compiled({ kind, query: sql`${query} for update` }, index)] : [],
    ),
    counts: steps.flatMap((step, index) =>
      step.kind === 'count' ? [{ noun: step.noun, field: step.field, statement: compiled(step, index) }] : [],
    ),
    changes: steps.flatMap((step, index) => (step.kind === 'change' ? [compiled(step, index)] : [])),
    last: context.statement(plan, 'last', () => deleteQuery(stored.noun)),
  }
}
