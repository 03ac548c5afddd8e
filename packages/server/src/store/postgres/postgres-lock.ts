/** The locks under which tables are changed. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import type { Change } from '../change.ts'
import { MigrationError } from '../migration-error.ts'
import type { Schema } from '../schema.ts'
import { quoted } from './postgres-name.ts'

/** How often the tables are asked for before a migration gives up. */
const tries = 30

const indexKinds: readonly Change['kind'][] = ['add-index', 'drop-index', 'add-unique', 'drop-unique']

/**
 * Keeps others from the tables that will change; records can still be read where only an index does. Whoever waits for
 * a table keeps all later readers waiting too, so it waits but for a moment, lets them pass, and tries again.
 */
export async function lockTables(client: ClientBase, changes: readonly Change[], before: Schema): Promise<void> {
  const there = new Set([...before.nouns, ...before.links].map(({ name }) => name))
  const tables = [...new Set(changes.map((change) => change.of))].filter((table) => there.has(table))
  const isIndexed = (table: string) =>
    changes.every((change) => change.of !== table || indexKinds.includes(change.kind))
  const locks = [
    ['access exclusive', tables.filter((table) => !isIndexed(table))],
    ['share row exclusive', tables.filter(isIndexed)],
  ] as const
  const sql = locks.flatMap(([mode, names]) =>
    names.length === 0 ? [] : [`lock table ${names.map(quoted).join(', ')} in ${mode} mode`],
  )
  for (let tried = 1; !(await isLocked(client, sql)); tried++) {
    if (tried === tries) {
      throw new MigrationError(`The tables ${tables.map((name) => `"${name}"`).join(', ')} are in use.`, [
        'Nothing was changed. Another transaction keeps them, such as a backup: try again when it is over.',
      ])
    }
    await pause(1000)
  }
}

/** Lock not available, and deadlock. */
const passing = ['55P03', '40P01']

async function isLocked(client: ClientBase, sql: readonly string[]): Promise<boolean> {
  await client.query('savepoint locking')
  try {
    await client.query("set local lock_timeout = '1s'")
    for (const lock of sql) await client.query(lock)
    await client.query('set local lock_timeout = 0')
    return true
  } catch (error) {
    if (!passing.includes((error as { code?: string }).code ?? '')) throw error
    await client.query('rollback to savepoint locking')
    return false
  }
}
