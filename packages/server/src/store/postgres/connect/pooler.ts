/** Recognizes how a pooler between the service and the server assigns sessions to connections. */
import type pg from 'pg'
import { serverError } from '../../fault/fault.ts'
import { queryWithin } from './role.ts'
import { SettingRejected } from './start-error.ts'
import type { SettingsStatement } from './text-query.ts'

/**
 * `session`: each connection has a session of its own. `transaction`: each transaction may have another one, so that
 * settings and locks must end with it. `transaction-prepared`: the pooler also keeps track of prepared statements.
 */
export type Pooling = 'session' | 'transaction' | 'transaction-prepared'

/** How statements are sent to sessions that a pooler shares between connections. */
export interface SharedSessions {
  /** Settings for a single statement; named if prepared statements work. */
  readonly statement: SettingsStatement
  /** The same settings, for the begin of a transaction. They take no snapshot. */
  readonly script: string
}

/** The name and number of tries of the check. */
const probeName = 'nomen_probe'
const maxTries = 20

export async function poolingOf(first: pg.Client, second: pg.Client, timeoutMs: number): Promise<Pooling> {
  if (!(await areShared(first, second, timeoutMs))) return 'session'
  await checkIsolation(first, timeoutMs)
  return (await keepsNames(first)) ? 'transaction' : 'transaction-prepared'
}

/**
 * Whether two connections get the same session in turn, or one gets several. More than one try, because other connections
 * may be served in between.
 */
async function areShared(first: pg.Client, second: pg.Client, timeoutMs: number): Promise<boolean> {
  const processOf = async (client: pg.Client) =>
    (await queryWithin(client, 'select pg_backend_pid() as id', timeoutMs))[0].id as number
  const processes: [Set<number>, Set<number>] = [new Set(), new Set()]
  try {
    for (let tries = 0; tries < maxTries; tries++) {
      processes[0].add(await processOf(first))
      processes[1].add(await processOf(second))
      if (processes.some(({ size }) => size > 1) || !processes[0].isDisjointFrom(processes[1])) return true
    }
    return false
  } catch (error) {
    // All sessions of the pool are in use: each connection has one of its own.
    if (serverError(error)) throw error
    return false
  }
}

/** Whether the server gets the names of prepared statements unchanged. A pooler that keeps track of them changes them. */
async function keepsNames(client: pg.Client): Promise<boolean> {
  const text = `select exists (select from pg_prepared_statements where name = '${probeName}') as kept`
  await client.query('begin')
  try {
    const [row] = (await client.query({ name: probeName, text })).rows
    if (row.kept) await client.query(`deallocate ${probeName}`)
    return row.kept
  } catch (error) {
    // Another service runs the same check at the same time, or the pooler rejects prepared statements.
    if (!serverError(error)) throw error
    return true
  } finally {
    await client.query('rollback')
  }
}

/** A single statement cannot choose its isolation level. */
async function checkIsolation(client: pg.Client, timeoutMs: number): Promise<void> {
  const name = 'default_transaction_isolation'
  const query = `select current_setting('${name}') as isolation, quote_ident(current_user) as role`
  const [{ isolation, role }] = await queryWithin(client, query, timeoutMs)
  if (isolation !== 'read committed') throw new SettingRejected(name, isolation, role)
}
