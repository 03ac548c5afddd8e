/** Links two records, and parts them again: one statement each, which holds both records. Under a condition, a transaction does. */
import { linkOf, missingHere, refused } from '../../decision.ts'
import type { Outcome } from '../../outcome.ts'
import type { LinkPlan, Match } from '../../plan.ts'
import { type RecordInput, seenQuery } from '../../sql/record-query.ts'
import { sql } from '../../sql/sql.ts'
import { postgresDialect } from '../dialect.ts'
import { foundOutcome } from '../row.ts'
import type { Statement } from '../statement.ts'
import type { Run, WriteContext } from './context.ts'
import { linkBelow, lock, readBelow, unlinkBelow } from './query.ts'

export function link(context: WriteContext, plan: LinkPlan): Promise<Outcome> {
  const { database } = context
  const { match } = plan
  if (!match) return linkNow(context, plan, (statement, input) => database.writeShort(statement, input))
  return database.transaction((connection) =>
    linkIf(context, plan, match, (statement, input) => connection.run(statement, input)),
  )
}

async function linkNow(context: WriteContext, plan: LinkPlan, run: Run): Promise<Outcome> {
  const { operation, sight } = plan
  const linked = linkOf(operation)
  const statement = context.statement<RecordInput>(plan, 'link', () => linkBelow(operation, linked, sight))
  const [row = []] = await run(statement, plan)
  const isShared = row.at(-1)
  const outcome = foundOutcome(operation, row.slice(0, -1))
  if (outcome.kind !== 'record' || isShared === 't') return outcome
  if (isShared === 'f')
    return refused({ reason: 'not-shared', field: linked.link.sharing as string, noun: linked.near.name, count: 1 })
  // The parent was deleted at this moment.
  return { kind: 'missing', level: operation.levels.length - 2 }
}

/** While the record is held nobody else links it or changes it: what was found stays true until the end. */
async function linkIf(context: WriteContext, plan: LinkPlan, match: Match, run: Run): Promise<Outcome> {
  const { operation } = plan
  const [held] = await run(hold(context, plan), plan)
  const [row] = await run(shown(context, plan), plan)
  const found = foundOutcome(operation, row)
  // A link that is there already is left alone: whoever parts the records now comes after it.
  if (found.kind === 'record') return match(found.identity, found.version) ? found : refused({ reason: 'changed' })
  const isPossible = held && found.kind === 'missing' && found.level === operation.levels.length - 1
  if (!isPossible) return found
  return plan.mustBeLinked ? refused({ reason: 'not-linked' }) : linkNow(context, plan, run)
}

/** Holds the record that is to be linked, whether it is linked or not. */
function hold(context: WriteContext, plan: LinkPlan): Statement<RecordInput> {
  const { operation, sight = {} } = plan
  return context.statement(plan, 'hold', () => sql`${seenQuery(postgresDialect, operation.shape.noun, sight)}${lock}`)
}

/** The record at the end of the path, if it is linked. */
function shown(context: WriteContext, plan: LinkPlan): Statement<RecordInput> {
  const { operation, sight } = plan
  return context.statement(plan, 'held', () => readBelow(operation, operation.shape, sight, lock))
}

export function unlink(context: WriteContext, plan: LinkPlan): Promise<Outcome> {
  const { database } = context
  const { operation, match } = plan
  if (!match) return unlinkNow(context, plan, (statement, input) => database.writeShort(statement, input))
  return database.transaction(async (connection) => {
    const run: Run = (statement, input) => connection.run(statement, input)
    const [row] = await run(shown(context, plan), plan)
    const found = foundOutcome(operation, row)
    if (found.kind !== 'record') return found
    return match(found.identity, found.version) ? unlinkNow(context, plan, run) : refused({ reason: 'changed' })
  })
}

async function unlinkNow(context: WriteContext, plan: LinkPlan, run: Run): Promise<Outcome> {
  const { operation, sight } = plan
  const linked = linkOf(operation)
  const statement = context.statement<RecordInput>(plan, 'unlink', () => unlinkBelow(operation, linked, sight))
  const [row] = await run(statement, plan)
  return row ? foundOutcome(operation, row) : missingHere(operation)
}
