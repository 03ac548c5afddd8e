/** The table locks of a migration. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { faultOf } from '../../fault/fault.ts'
import { type Change, isAdoption } from '../../migrate/change/change.ts'
import { declarationOnly } from '../../migrate/expand/expansion.ts'
import type { Schema } from '../../migrate/schema/schema.ts'
import { identifier } from '../name.ts'

/** How often the locks are tried. */
const defaultMaxAttempts = 30

const indexOnly: readonly Change['kind'][] = ['add-index', 'drop-index', 'add-unique', 'drop-unique']

/** Whether a change needs no lock online: an index is built concurrently, and derived columns are filled in batches. */
export function isIndexChange({ kind }: Change): boolean {
  return kind === 'add-index' || kind === 'add-unique' || kind === 'finish-table' || declarationOnly.has(kind)
}

/** Locks the tables that will change. If only an index changes, records can still be read. */
export function lockTables(
  client: ClientBase,
  changes: readonly Change[],
  before: Schema,
  maxAttempts?: number,
): Promise<void> {
  return takeLocks(client, locksFor(changes, before), maxAttempts)
}

/**
 * Takes all of these locks. A waiting lock blocks all later transactions on the table. So each try waits only a second,
 * and lets the others pass before the next one.
 */
export async function takeLocks(
  client: ClientBase,
  locks: readonly string[],
  maxAttempts = defaultMaxAttempts,
): Promise<void> {
  await client.query('savepoint locking')
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query("set local lock_timeout = '1s'")
      for (const lock of locks) await client.query(lock)
      // The remaining locks are those on targets of new references.
      await client.query("set local lock_timeout = '1min'")
      return
    } catch (error) {
      if (!isTemporary(error) || attempt === maxAttempts) throw error
      await client.query('rollback to savepoint locking')
    }
    await pause(1000)
  }
}

function locksFor(changes: readonly Change[], before: Schema): readonly string[] {
  const adoptedTables = changes.filter(isAdoption).map((change) => change.subject)
  const existingTables = new Set([...[...before.nouns, ...before.links].map(({ name }) => name), ...adoptedTables])
  const alteringChanges = changes.filter(
    (change) => existingTables.has(change.subject) && !declarationOnly.has(change.kind),
  )
  const tables = [...new Set(alteringChanges.map((change) => change.subject))]
  const changesOnlyIndexes = (table: string) =>
    alteringChanges.every((change) => change.subject !== table || indexOnly.includes(change.kind))
  const lock = (names: readonly string[], mode: string) =>
    names.length === 0 ? [] : [`lock table ${names.map(identifier).join(', ')} in ${mode} mode`]
  const exclusive = tables.filter((table) => !changesOnlyIndexes(table))
  return [...lock(exclusive, 'access exclusive'), ...lock(tables.filter(changesOnlyIndexes), 'share row exclusive')]
}

/** Whether the lock was not available in time, or a deadlock was detected. */
function isTemporary(error: unknown): boolean {
  const fault = faultOf(error)
  return fault === 'lock-timeout' || fault === 'conflict'
}
