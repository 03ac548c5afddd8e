/** Reads the next history entries after an ID, the oldest first, for clients that follow changes. */
import { change, type Operation, type Page } from '@nomen/core'
import { TooLarge } from '../../store/fault/error.ts'
import type { Outcome } from '../../store/outcome.ts'
import type { ListPlan } from '../../store/plan.ts'
import { operationWithout, type Read } from '../history/entry-reads.ts'

/** The maximum number of IDs that one read covers, so that its cost does not grow with the history. */
const maxIds = 10_000

/** The factor by which a range of IDs grows if it has too few matching entries. */
const rangeGrowth = 8

/** How many IDs the first range has for each entry of a page, and which share of a page is enough. */
export interface RangeSizing {
  readonly idsPerEntry: number
  readonly sufficientShare: number
}

/** For consumers that read on at once: every entry in a range is counted, so it is short. */
const partialPages: RangeSizing = { idsPerEntry: 1, sufficientShare: 0.25 }

/** For pages that have all matching entries up to their size. */
export const fullPages: RangeSizing = { idsPerEntry: 4, sufficientShare: 1 }

export interface EntryWindow {
  readonly afterId: number
  /** The last ID that may be read. */
  readonly settled: number
  readonly pageSize: number
}

/** Reads up to a page of the entries that the plan selects, from a range of IDs that grows until it has enough of them. */
export async function readNext(
  plan: ListPlan,
  window: EntryWindow,
  read: Read,
  { idsPerEntry, sufficientShare }: RangeSizing = partialPages,
): Promise<Outcome> {
  const { afterId, settled, pageSize } = window
  const last = Math.min(afterId + maxIds, settled)
  for (let rangeSize = pageSize * idsPerEntry; ; rangeSize *= rangeGrowth) {
    const end = Math.min(afterId + rangeSize, last)
    const outcome = await readRange(plan, window, end, read)
    if (end === last || outcome.kind !== 'list' || outcome.numberOfRecords >= pageSize * sufficientShare) return outcome
  }
}

/** Reads up to a page of the entries after `afterId` and up to `end`. */
async function readRange(
  plan: ListPlan,
  { afterId, pageSize }: EntryWindow,
  end: number,
  read: Read,
): Promise<Outcome> {
  if (end <= afterId) return { kind: 'list', json: '[]', numberOfRecords: 0, next: afterId }
  const range = { from: afterId + 1, to: end + 1 }
  const conditions = plan.conditions.map((condition) =>
    condition.kind === 'before-or-after' ? { ...condition, range } : condition,
  )
  const outcome = await readWithinLimit(
    {
      ...plan,
      conditions: [...conditions, { kind: 'range', fields: [change.identity], ...range }],
      order: [{ field: change.identity, isDescending: false }],
      // A replica may not have all entries up to the settled one.
      ...(plan.reader && { reader: { ...plan.reader, isCurrent: true } }),
    },
    { pageNumber: 1, pageSize },
    read,
  )
  if (outcome.kind !== 'list') return outcome
  const entries = JSON.parse(outcome.json) as readonly Readonly<Record<string, unknown>>[]
  const last = entries.at(-1)?.[idName(plan.operation)]
  return { ...outcome, next: entries.length < outcome.numberOfRecords ? Number(last) : end }
}

/** The property of an entry that has its ID. */
export function idName({ shape }: Operation): string {
  return shape.properties.find(({ field }) => field === change.identity)?.name ?? change.identity
}

/** Reads smaller pages if a list exceeds its limit in bytes. A single entry that exceeds the limit is read without its values. */
async function readWithinLimit(plan: ListPlan, page: Page, read: Read): Promise<Outcome> {
  try {
    return await read({ ...plan, page })
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    if (page.pageSize === 1) return readWithoutValues({ ...plan, page }, read)
    return readWithinLimit(plan, { ...page, pageSize: Math.ceil(page.pageSize / 8) }, read)
  }
}

/** Otherwise all clients would stop before this entry, for ever. */
async function readWithoutValues(plan: ListPlan, read: Read): Promise<Outcome> {
  const outcome = await read({ ...plan, operation: withoutValues(plan.operation) })
  if (outcome.kind !== 'list') return outcome
  const names = plan.operation.shape.properties.map(({ name }) => name)
  const entries = JSON.parse(outcome.json) as readonly Readonly<Record<string, unknown>>[]
  const completed = entries.map((entry) => Object.fromEntries(names.map((name) => [name, entry[name] ?? null])))
  return { ...outcome, json: JSON.stringify(completed) }
}

const operationsWithoutValues = new WeakMap<Operation, Operation>()

function withoutValues(operation: Operation): Operation {
  const headOperation = operationsWithoutValues.get(operation) ?? operationWithout(operation, ['before', 'after'])
  operationsWithoutValues.set(operation, headOperation)
  return headOperation
}
