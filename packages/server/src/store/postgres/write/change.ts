/** Changes a record: reads it, decides, and writes if it is still the same. */
import type { AnyLink, Value } from '@nomen/core'
import {
  brokenRule,
  changedFields,
  isBlind,
  notShared,
  notVisible,
  refused,
  unsharedLinks,
  wrongTransition,
} from '../../decision.ts'
import type { StoredNoun } from '../../model.ts'
import type { Outcome, Refusal } from '../../outcome.ts'
import type { ChangePlan, Values } from '../../plan.ts'
import { linkCountQuery, type RecordInput, seenLinkCountQuery, storedShape } from '../../sql/record-query.ts'
import { postgresDialect } from '../dialect.ts'
import { isBrokenReference } from '../error.ts'
import { foundOutcome } from '../row.ts'
import type { Statement } from '../statement.ts'
import type { Run, WriteContext } from './context.ts'
import { type Bound, changeBelow, changeSeen, lock, readBelow } from './query.ts'

/** How often a change is tried on a record that others change meanwhile, before the record is locked. */
const tries = 3

interface Changing {
  readonly context: WriteContext
  readonly stored: StoredNoun
  readonly plan: ChangePlan
}

/** A record as it is stored. */
interface Current {
  readonly record: Values
  readonly identity: Value
  readonly version: number
}

export async function change(context: WriteContext, plan: ChangePlan): Promise<Outcome> {
  const changing = { context, stored: context.stored(plan.operation), plan }
  if (Object.keys(plan.values).length === 0) return unchanged(changing)
  const blind = isBlind(changing.stored, plan) ? await changeBlindly(changing) : undefined
  if (blind) return blind
  for (let tried = 0; tried < tries; tried++) {
    const outcome = await changeIfSame(changing)
    if (outcome) return outcome
  }
  return changeLocked(changing)
}

/** The record as it is, where nothing is given. */
async function unchanged({ context, plan }: Changing): Promise<Outcome> {
  const { operation, sight } = plan
  const read = context.statement<RecordInput>(plan, 'shown', () => readBelow(operation, operation.shape, sight))
  const [row] = await context.database.readShort(read, plan)
  const outcome = foundOutcome(operation, row)
  const refusal = outcome.kind === 'record' ? outdated(plan, outcome) : undefined
  return refusal ? refused(refusal) : outcome
}

/** One round trip. Undefined where it is refused: why is told by a change that looks. */
async function changeBlindly({ context, stored, plan }: Changing): Promise<Outcome | undefined> {
  const { operation, values } = plan
  const fields = Object.keys(values)
  const update = context.statement<Bound>(plan, `blind ${fields}`, () => changeBelow(operation, stored, fields))
  try {
    const [row] = await context.database.writeShort(update, plan)
    return foundOutcome(operation, row)
  } catch (error) {
    if (isBrokenReference(error) || context.refusedValues(stored, values, error)) return undefined
    throw error
  }
}

/** Two round trips and no lock. Undefined where somebody else has changed the record in between. */
async function changeIfSame(changing: Changing): Promise<Outcome | undefined> {
  const { context, stored, plan } = changing
  const { operation, values } = plan
  const current = await read(changing, (statement, input) => context.database.readShort(statement, input))
  if ('kind' in current) return current
  const next = { ...current.record, ...values }
  const refusal = outdated(plan, current) ?? wrongTransition(stored.noun, values, current.record)
  if (refusal) return refused(refusal)
  if (unsharedLinks(stored, next, current.record).length > 0) return changeLocked(changing)
  const hidden = plan.sight && (await unseen(changing, current.record, next))
  if (hidden) return hidden
  const breach = brokenRule(plan.check, next, current.record)
  if (breach) return (await context.obstacle(plan, values, { previous: current.record })) ?? refused(breach)
  try {
    const [row] = await context.database.writeShort(update(changing, current), { ...plan, version: current.version })
    return row && foundOutcome(operation, row)
  } catch (error) {
    return explained(changing, current.record, error)
  }
}

/** What stands in the way of a caller who does not see everything: the server knows nothing of that. */
async function unseen(
  { context, stored, plan }: Changing,
  previous: Values,
  next: Values,
): Promise<Outcome | undefined> {
  const obstacle = await context.obstacle(plan, plan.values, { previous })
  const refusal = obstacle ? undefined : notVisible(stored.noun, plan.sight, next, previous)
  return refusal ? refused(refusal) : obstacle
}

/** A transaction that holds the record: nobody else changes it, or links it, before the change is done. */
async function changeLocked(changing: Changing): Promise<Outcome> {
  const { context, stored, plan } = changing
  const { operation, values } = plan
  let previous: Values = {}
  try {
    return await context.database.transaction(async (connection) => {
      const run: Run = (statement, input) => connection.run(statement, input)
      const current = await read(changing, run, true)
      if ('kind' in current) return current
      const { version } = current
      previous = current.record
      const next = { ...previous, ...values }
      const early = outdated(plan, current) ?? wrongTransition(stored.noun, values, previous)
      if (early) return refused(early)
      const obstacle = await context.obstacle(plan, values, { previous, run })
      if (obstacle) return obstacle
      const late =
        (await parted(changing, current, next, run)) ??
        notVisible(stored.noun, plan.sight, next, previous) ??
        brokenRule(plan.check, next, previous)
      if (late) return refused(late)
      const [row] = await run(update(changing, current), { ...plan, version })
      return foundOutcome(operation, row)
    })
  } catch (error) {
    return explained(changing, previous, error)
  }
}

async function read({ context, plan }: Changing, run: Run, isLocked = false): Promise<Current | Outcome> {
  const { operation, sight } = plan
  const statement = context.statement<RecordInput>(plan, isLocked ? 'locked' : 'stored', () =>
    readBelow(operation, storedShape(operation.shape.noun), sight, isLocked ? lock : undefined),
  )
  const [row] = await run(statement, plan)
  const found = foundOutcome(operation, row)
  if (found.kind !== 'record') return found
  return { record: JSON.parse(found.json) as Values, identity: found.identity, version: found.version }
}

function update({ context, stored, plan }: Changing, { record }: Current): Statement<Bound> {
  const { operation, values } = plan
  const fields = changedFields(values, record)
  // Whoever changes it: the record was seen before.
  return context.statement<Bound>({ operation }, `seen ${fields}`, () => changeSeen(operation, stored, fields))
}

function outdated(
  { match }: ChangePlan,
  { identity, version }: Pick<Current, 'identity' | 'version'>,
): Refusal | undefined {
  return match && !match(identity, version) ? { reason: 'changed' } : undefined
}

/** Records that are linked because they share a reference must go on sharing it. */
async function parted(changing: Changing, { identity, record }: Current, next: Values, run: Run) {
  const { stored } = changing
  for (const link of unsharedLinks(stored, next, record)) {
    const [row = []] = await linked(changing, link, identity, run)
    const refusal = notShared(link, stored.noun, ...(row.map(Number) as [number, number?]))
    if (refusal) return refusal
  }
  return undefined
}

/** How many records a record is linked with, and where not everything is seen how many of them are. */
function linked({ context, stored: { noun }, plan }: Changing, link: AnyLink, identity: Value, run: Run) {
  const { sight } = plan
  const form = `linked ${link.name}`
  if (!sight) {
    return run(
      context.statement<Value>(plan, form, () => linkCountQuery(link, noun)),
      identity,
    )
  }
  const query = () => seenLinkCountQuery(postgresDialect, link, noun, sight)
  return run(context.statement<Pick<RecordInput, 'key' | 'sight'>>(plan, form, query), { key: identity, sight })
}

/** What the server's refusal means; `previous` is the record as it was. */
async function explained({ context, stored, plan }: Changing, previous: Values, error: unknown): Promise<Outcome> {
  const refusal = context.refusedValues(stored, { ...previous, ...plan.values }, error)
  if (!refusal && !isBrokenReference(error)) throw error
  const obstacle = await context.obstacle(plan, plan.values, { previous })
  if (obstacle) return obstacle
  if (refusal) return refused(refusal)
  // What was missing has come since.
  throw error
}
