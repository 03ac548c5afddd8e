/** The locks under which tables are changed. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { faultOf } from '../../fault.ts'
import { type Change, isAdoption } from '../../migrate/change.ts'
import type { Schema } from '../../migrate/schema.ts'
import { identifier } from '../name.ts'

/** How often tables are asked for before they are given up. */
const maxTries = 30

/** What changes in the declaration alone, and what in indexes alone. */
const declared: readonly Change['kind'][] = ['add-choice', 'change-default', 'change-limits', 'share-link']
const indexed: readonly Change['kind'][] = ['add-index', 'drop-index', 'add-unique', 'drop-unique']

/** Keeps others from the tables that will change; records can still be read where only an index does. */
export function lockTables(
  client: ClientBase,
  changes: readonly Change[],
  before: Schema,
  tries?: number,
): Promise<void> {
  return takeLocks(client, locksFor(changes, before), tries)
}

/**
 * Takes all of these locks. Whoever waits for a table keeps all later ones waiting too, so it waits but a second, lets them
 * pass, and tries again.
 */
export async function takeLocks(client: ClientBase, locks: readonly string[], tries = maxTries): Promise<void> {
  await client.query('savepoint locking')
  for (let tried = 1; ; tried++) {
    try {
      await client.query("set local lock_timeout = '1s'")
      for (const lock of locks) await client.query(lock)
      // What is still to be locked are tables that become targets of new references.
      await client.query("set local lock_timeout = '1min'")
      return
    } catch (error) {
      if (!isPassing(error) || tried === tries) throw error
      await client.query('rollback to savepoint locking')
    }
    await pause(1000)
  }
}

function locksFor(changes: readonly Change[], before: Schema): readonly string[] {
  const adopted = changes.filter(isAdoption).map((change) => change.of)
  const there = new Set([...[...before.nouns, ...before.links].map(({ name }) => name), ...adopted])
  const made = changes.filter((change) => there.has(change.of) && !declared.includes(change.kind))
  const tables = [...new Set(made.map((change) => change.of))]
  const isIndexed = (table: string) => made.every((change) => change.of !== table || indexed.includes(change.kind))
  const lock = (names: readonly string[], mode: string) =>
    names.length === 0 ? [] : [`lock table ${names.map(identifier).join(', ')} in ${mode} mode`]
  const altered = tables.filter((table) => !isIndexed(table))
  return [...lock(altered, 'access exclusive'), ...lock(tables.filter(isIndexed), 'share row exclusive')]
}

/** The lock is not to be had now, or two transactions wait for each other. */
function isPassing(error: unknown): boolean {
  const fault = faultOf(error)
  return fault === 'lock-timeout' || fault === 'conflict'
}
