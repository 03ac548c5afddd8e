/** Durable hooks: run at least once for each change, from the entries of the history. */
import { type AnyNoun, change, type Value } from '@nomen/core'
import { callerWithoutScopes } from '../../define/caller/caller.ts'
import type { Service } from '../../define/definition.ts'
import type { Change, Hook } from '../../define/hook.ts'
import { readOperations } from '../../logic/record-reads.ts'
import type { Report } from '../../observe/fault-report.ts'
import type { Condition, ListPlan, ReadPlan, Values } from '../../store/plan.ts'
import type { RecordStore } from '../../store/store.ts'
import type { Consumer, Entry } from '../consume/consumer.ts'
import { readNext } from '../follow/entry-window.ts'
import { startId } from '../follow/long-poll.ts'
import type { NewEntries } from '../follow/new-entries.ts'
import { identityIn } from '../history/deleted-record.ts'
import { entriesOf, equalCondition, type Read, storedValues } from '../history/entry-reads.ts'

/** The maximum number of entries in one read. */
const pageSize = 100

const kinds = { CREATED: 'create', CHANGED: 'update', DELETED: 'delete' } as const

/** The durable hooks of a service, as consumers of changes. */
export function durableHooks(
  { after = [] }: Service,
  { store, newEntries, report }: HookDependencies,
): readonly Consumer[] {
  // Replicas may lag behind, so the entries come from the primary.
  const reader = store.hasReplicas ? { reader: { name: 'hooks', isCurrent: true as const } } : {}
  const read: Read = (plan: ListPlan | ReadPlan) => store.run({ ...plan, ...reader })
  const start = () => startId('latest', newEntries)
  return after.flatMap((hook) =>
    hook.durable === undefined ? [] : [consumerOf(hook, hook.durable, { start, read, report })],
  )
}

interface HookDependencies {
  readonly store: RecordStore
  readonly newEntries: NewEntries
  readonly report: Report
}

/** The work of one hook. */
interface ConsumerOptions {
  readonly start: () => Promise<number>
  readonly read: Read
  readonly report: Report
}

function consumerOf({ noun, run }: Hook, name: string, { start, read, report }: ConsumerOptions): Consumer {
  const conditions = [equalCondition('noun', noun.name), equalCondition('kind', ...Object.keys(kinds))]
  const plan: ListPlan = {
    kind: 'list',
    operation: readOperations(change).list,
    ancestors: [],
    conditions,
    include: [],
    order: [],
  }
  return {
    name: `hook/${name}`,
    version: '',
    start,
    read: async (afterId, settled) => {
      const outcome = await readNext(plan, { afterId, settled, pageSize }, read)
      if (outcome.kind !== 'list') return { entries: [], next: afterId }
      return { entries: JSON.parse(outcome.json) as Entry[], next: outcome.next ?? afterId }
    },
    deliver: async (entry) => {
      try {
        const committedChange = await changeOf(noun, entry, read)
        // Undefined if the history of the record was erased meanwhile.
        if (committedChange) await run(committedChange as Change<never>)
        return true
      } catch (error) {
        report(`The durable hook "${name}" failed for change ${entry.id} of ${entry.record}. It runs again.`, error)
        return false
      }
    },
  }
}

/** The change of an entry, with the whole record; undefined if the values were deleted. */
async function changeOf(noun: AnyNoun, entry: Entry, read: Read): Promise<Change<Values> | undefined> {
  const { user, request, before, after } = entry
  const origin = { caller: { ...callerWithoutScopes, user: user ?? undefined }, requestId: request ?? '' }
  const kind = kinds[entry.kind as keyof typeof kinds]
  if (kind === 'create') return { kind, record: storedValues(noun, valuesIn(after)), ...origin }
  if (kind === 'delete') return { kind, record: storedValues(noun, valuesIn(before)), ...origin }
  const record = await recordAfter(noun, entry, read)
  if (!record) return undefined
  const previous = storedValues(noun, { ...record, ...valuesIn(before) })
  return { kind, record: storedValues(noun, { ...record, ...valuesIn(after) }), previous, ...origin }
}

/** The record as it was after an entry: the current values, without the changes since. */
async function recordAfter(noun: AnyNoun, { id, record: name }: Entry, read: Read): Promise<Values | undefined> {
  const operation = readOperations(noun).read
  const current = await read({ kind: 'read', operation, ancestors: [], key: identityIn(noun, name) })
  const later: Condition = { kind: 'range', fields: [change.identity], from: id + 1 }
  const past: Record<string, Value> = {}
  for await (const { kind, before } of entriesOf(
    read,
    [equalCondition('record', name), equalCondition('noun', noun.name), later],
    false,
  )) {
    if (kind === 'ERASED' || kind === 'CREATED') return undefined
    for (const [field, value] of Object.entries(valuesIn(before))) if (!(field in past)) past[field] = value
    if (kind === 'DELETED') return past
  }
  return current.kind === 'record' ? { ...JSON.parse(current.json), ...past } : undefined
}

function valuesIn(json: string | null): Values {
  return json === null ? {} : JSON.parse(json)
}
