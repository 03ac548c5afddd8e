/** Links and unlinks records: one statement each, which locks both records. With a condition or rules, a transaction. */
import { decideLink, decideUnlink, linkOfOperation, needsDecision, unsharedLinkOutcome } from '../../decide/link.ts'
import { missingRecordOutcome } from '../../decide/rejection.ts'
import type { Outcome } from '../../outcome.ts'
import type { LinkPlan } from '../../plan.ts'
import { type RecordInput, visibleQuery } from '../../sql/record-query.ts'
import { sql } from '../../sql/sql.ts'
import type { Run } from '../connect/database.ts'
import { postgresDialect } from '../dialect.ts'
import { outcomeOfRow } from '../read/row-outcome.ts'
import type { WriteContext } from './context.ts'
import { linkBelow, unlinkBelow } from './link-query.ts'
import { lock } from './path-query.ts'
import { readLocked } from './read-locked.ts'

export function linkRecord(context: WriteContext, plan: LinkPlan): Promise<Outcome> {
  const { operation, rowFilter = {} } = plan
  return decideAndWrite(context, plan, writeLink, async (run) => {
    // While the record is locked, no other request can link or change it.
    const lockRecord = context.statement<RecordInput>(
      plan,
      'lock record',
      () => sql`${visibleQuery(postgresDialect, operation.shape.noun, rowFilter)}${lock}`,
    )
    const [lockedRow] = await run(lockRecord, plan)
    const current = await readLocked(context, plan, run)
    const isLinkable = lockedRow && current.kind === 'missing' && current.level === operation.levels.length - 1
    return current.kind === 'record' || isLinkable ? decideLink(plan, current) : current
  })
}

export function unlinkRecord(context: WriteContext, plan: LinkPlan): Promise<Outcome> {
  return decideAndWrite(context, plan, writeUnlink, async (run) =>
    decideUnlink(plan, await readLocked(context, plan, run)),
  )
}

type WriteLink = (context: WriteContext, plan: LinkPlan, run: Run) => Promise<Outcome>

/** Writes at once if there is nothing to decide; otherwise after a decision in the same transaction. */
function decideAndWrite(
  context: WriteContext,
  plan: LinkPlan,
  write: WriteLink,
  decide: (run: Run) => Promise<Outcome | undefined>,
): Promise<Outcome> {
  const { database } = context
  if (!needsDecision(plan)) return write(context, plan, database.writeShort)
  return database.transaction(async (run) => (await decide(run)) ?? write(context, plan, run))
}

async function writeLink(context: WriteContext, plan: LinkPlan, run: Run): Promise<Outcome> {
  const { operation, rowFilter } = plan
  const statement = context.statement<RecordInput>(plan, 'link', () =>
    linkBelow(operation, linkOfOperation(operation), rowFilter),
  )
  const [row = []] = await run(statement, plan)
  const isShared = row.at(-1)
  const outcome = outcomeOfRow(operation, row.slice(0, -1))
  if (outcome.kind !== 'record' || isShared === 't') return outcome
  if (isShared === 'f') return unsharedLinkOutcome(operation)
  // The parent was deleted in the meantime.
  return { kind: 'missing', level: operation.levels.length - 2 }
}

async function writeUnlink(context: WriteContext, plan: LinkPlan, run: Run): Promise<Outcome> {
  const { operation, rowFilter } = plan
  const statement = context.statement<RecordInput>(plan, 'unlink', () =>
    unlinkBelow(operation, linkOfOperation(operation), rowFilter),
  )
  const [row] = await run(statement, plan)
  return row ? outcomeOfRow(operation, row) : missingRecordOutcome(operation)
}
