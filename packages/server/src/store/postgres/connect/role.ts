/** The role of a server in replication: a standby, or a primary with its timeline. */
import type pg from 'pg'
import { serverError } from '../../fault/fault.ts'

export interface Role {
  readonly isStandby: boolean
  /** Whether its transactions are read-only: it is a standby, or a setting of the database says so. */
  readonly isReadOnly: boolean
  /** Increases with every failover; 0 for a standby, which follows the timeline of its primary, and if it is not known. */
  readonly timeline: number
  /** Identifies the primary and its standbys. Timelines of other servers cannot be compared with theirs. */
  readonly system: string
  /** Identifies the server until it is restarted. */
  readonly server: string
  /** The session's process on the server; undefined if a pooler is in between, because each transaction may have another. */
  readonly processId: number | undefined
}

const basicColumns = `pg_is_in_recovery() as standby, current_setting('transaction_read_only') as read_only,
  pg_backend_pid() as process_id, extract(epoch from pg_postmaster_start_time())::text as server`

/** The name of a WAL file begins with the timeline. */
const roleQuery = `select *,
    case when not standby then left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end as timeline
  from (select ${basicColumns}, system_identifier::text as system from pg_control_system()) as own`

/** Some managed servers do not support the functions of the write-ahead log. */
const basicQuery = `select ${basicColumns}, null as timeline, '' as system`

export async function roleOf(client: pg.Client, timeoutMs: number): Promise<Role> {
  const rows = await queryWithin(client, roleQuery, timeoutMs).catch((error) => {
    if (serverError(error)?.severity !== 'ERROR') throw error
    return queryWithin(client, basicQuery, timeoutMs)
  })
  const { standby, read_only, timeline, system, server, process_id } = rows[0]
  // The driver's types lack the process ID that the server, or a pooler, has sent at the start.
  const { processID } = client as pg.Client & { readonly processID: number | null }
  return {
    isStandby: standby,
    isReadOnly: read_only === 'on',
    timeline: timeline === null ? 0 : Number.parseInt(timeline, 16),
    system,
    server,
    processId: process_id === processID ? process_id : undefined,
  }
}

/** Sends a query, and waits only this long for its rows. */
export async function queryWithin(client: pg.Client, sql: string, timeoutMs: number) {
  // The driver's types lack the timeout of a single query.
  const query: pg.QueryConfig & Pick<pg.ClientConfig, 'query_timeout'> = { text: sql, query_timeout: timeoutMs }
  return (await client.query(query)).rows
}

/**
 * The sessions that still wait for a response, although their process on the server is idle or has ended. The statement or
 * the response was lost, for example by a firewall that has dropped the connection.
 */
export async function lostSessions(
  client: pg.Client,
  sessions: readonly Role[],
  timeoutMs: number,
): Promise<readonly Role[]> {
  const ids = sessions.flatMap(({ processId }) => processId ?? [])
  if (ids.length === 0) return []
  const query = `select id from unnest(array[${ids.join()}]) as id
    where not exists (
      select from pg_stat_activity
      where pid = id and (state is null or state not like 'idle%' or state_change > clock_timestamp() - interval '1 s')
    )`
  const lostIds = (await queryWithin(client, query, timeoutMs)).map(({ id }) => id)
  return sessions.filter(({ processId }) => lostIds.includes(processId))
}
