/** Links and unlinks records: one statement each, which locks both records. With a condition, a transaction. */
import { decideLink, decideUnlink, linkOf, notLinkable } from '../../decide/link.ts'
import { missingHere } from '../../decide/refusal.ts'
import type { Outcome } from '../../outcome.ts'
import type { LinkPlan } from '../../plan.ts'
import { type RecordInput, seenQuery } from '../../sql/record-query.ts'
import { sql } from '../../sql/sql.ts'
import type { Run } from '../connect/database.ts'
import { postgresDialect } from '../dialect.ts'
import { foundOutcome } from '../row.ts'
import type { WriteContext } from './context.ts'
import { linkBelow, lock, readBelow, unlinkBelow } from './query.ts'

export function link(context: WriteContext, plan: LinkPlan): Promise<Outcome> {
  const { operation, rowFilter = {} } = plan
  return inTransactionIf(context, plan, linkNow, async (run) => {
    // While the record is locked, no other request links or changes it.
    const hold = context.statement<RecordInput>(
      plan,
      'hold',
      () => sql`${seenQuery(postgresDialect, operation.shape.noun, rowFilter)}${lock}`,
    )
    const [held] = await run(hold, plan)
    const shown = await readLinked(context, plan, run)
    const isLinkable = held && shown.kind === 'missing' && shown.level === operation.levels.length - 1
    return shown.kind === 'record' || isLinkable ? decideLink(plan, shown) : shown
  })
}

export function unlink(context: WriteContext, plan: LinkPlan): Promise<Outcome> {
  return inTransactionIf(context, plan, unlinkNow, async (run) =>
    decideUnlink(plan, await readLinked(context, plan, run)),
  )
}

type WriteLink = (context: WriteContext, plan: LinkPlan, run: Run) => Promise<Outcome>

/** Writes at once if there is no condition, else after a decision in the same transaction. */
function inTransactionIf(
  context: WriteContext,
  plan: LinkPlan,
  write: WriteLink,
  decide: (run: Run) => Promise<Outcome | undefined>,
): Promise<Outcome> {
  const { database } = context
  if (!plan.match) return write(context, plan, database.writeShort)
  return database.transaction(async (run) => (await decide(run)) ?? write(context, plan, run))
}

/** The record at the end of the path, if it is linked. */
async function readLinked(context: WriteContext, plan: LinkPlan, run: Run): Promise<Outcome> {
  const { operation, rowFilter } = plan
  const read = context.statement<RecordInput>(plan, 'held', () =>
    readBelow(operation, operation.shape, rowFilter, lock),
  )
  const [row] = await run(read, plan)
  return foundOutcome(operation, row)
}

async function linkNow(context: WriteContext, plan: LinkPlan, run: Run): Promise<Outcome> {
  const { operation, rowFilter } = plan
  const statement = context.statement<RecordInput>(plan, 'link', () =>
    linkBelow(operation, linkOf(operation), rowFilter),
  )
  const [row = []] = await run(statement, plan)
  const isShared = row.at(-1)
  const outcome = foundOutcome(operation, row.slice(0, -1))
  if (outcome.kind !== 'record' || isShared === 't') return outcome
  if (isShared === 'f') return notLinkable(operation)
  // The parent was deleted at this moment.
  return { kind: 'missing', level: operation.levels.length - 2 }
}

async function unlinkNow(context: WriteContext, plan: LinkPlan, run: Run): Promise<Outcome> {
  const { operation, rowFilter } = plan
  const statement = context.statement<RecordInput>(plan, 'unlink', () =>
    unlinkBelow(operation, linkOf(operation), rowFilter),
  )
  const [row] = await run(statement, plan)
  return row ? foundOutcome(operation, row) : missingHere(operation)
}
