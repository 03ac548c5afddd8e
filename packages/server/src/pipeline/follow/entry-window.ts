/** Reads the next history entries after an ID, the oldest first, for clients that follow changes. */
import { change, type Operation, type Page } from '@nomen/core'
import { TooLarge } from '../../store/fault/error.ts'
import type { Outcome } from '../../store/outcome.ts'
import type { ListPlan } from '../../store/plan.ts'
import type { Read } from '../history/entry-reads.ts'

/** The maximum number of IDs that one read covers, so that its cost does not grow with the history. */
const maxIds = 10_000

/** Reads up to a page of the entries that the plan selects, after an ID and up to a settled one. */
export async function readWindow(
  plan: ListPlan,
  { afterId, settled, pageSize }: { readonly afterId: number; readonly settled: number; readonly pageSize: number },
  read: Read,
): Promise<Outcome> {
  const end = Math.min(afterId + maxIds, settled)
  if (end <= afterId) return { kind: 'list', json: '[]', numberOfRecords: 0, next: afterId }
  const range = { from: afterId + 1, to: end + 1 }
  const conditions = plan.conditions.map((condition) =>
    condition.kind === 'state' ? { ...condition, range } : condition,
  )
  const outcome = await readFitting(
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

/** A list has a limit in bytes, and entries may be large. One that exceeds the limit by itself is read without its values. */
async function readFitting(plan: ListPlan, page: Page, read: Read): Promise<Outcome> {
  try {
    return await read({ ...plan, page })
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    if (page.pageSize === 1) return readWithoutValues({ ...plan, page }, read)
    return readFitting(plan, { ...page, pageSize: Math.ceil(page.pageSize / 8) }, read)
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
  const known = operationsWithoutValues.get(operation)
  if (known) return known
  const { id, path, shape } = operation
  const properties = shape.properties.filter(({ field }) => field !== 'before' && field !== 'after')
  // Statements are cached by operation.
  const head = { ...operation, id: `${id}.head`, path: `${path}-head`, shape: { ...shape, properties } }
  operationsWithoutValues.set(operation, head)
  return head
}
