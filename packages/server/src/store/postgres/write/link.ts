/** Links two records, and parts them again: one statement each, which holds both records. */
import { linkOf, missingHere, refused } from '../../decision.ts'
import type { LinkPlan, Outcome } from '../../plan.ts'
import type { RecordInput } from '../../sql/record-query.ts'
import { foundOutcome } from '../row.ts'
import type { WriteContext } from './write-context.ts'
import { linkBelow, unlinkBelow } from './write-query.ts'

export async function link(context: WriteContext, plan: LinkPlan): Promise<Outcome> {
  const { operation, sight } = plan
  const linked = linkOf(operation)
  const statement = context.statement<RecordInput>(plan, 'link', () => linkBelow(operation, linked, sight))
  const [row = []] = await context.database.write(statement, plan)
  const isShared = row.at(-1)
  const outcome = foundOutcome(operation, row.slice(0, -1))
  if (outcome.kind !== 'record' || isShared === 't') return outcome
  if (isShared === 'f')
    return refused({ reason: 'not-shared', field: linked.link.sharing as string, noun: linked.near.name, count: 1 })
  // The parent was deleted at this moment.
  return { kind: 'missing', level: operation.levels.length - 2 }
}

export async function unlink(context: WriteContext, plan: LinkPlan): Promise<Outcome> {
  const { operation, sight } = plan
  const linked = linkOf(operation)
  const statement = context.statement<RecordInput>(plan, 'unlink', () => unlinkBelow(operation, linked, sight))
  const [row] = await context.database.write(statement, plan)
  return row ? foundOutcome(operation, row) : missingHere(operation)
}
