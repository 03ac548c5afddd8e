/** The role of a server in replication: a standby, or a primary with its timeline. */
import type pg from 'pg'

export interface Role {
  readonly isStandby: boolean
  /** Increases with every failover; 0 for a standby, which follows the timeline of its primary. */
  readonly timeline: number
}

/** The name of a WAL file begins with the timeline. */
const roleQuery = `
  select standby, case when not standby then left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end as timeline
  from (select pg_is_in_recovery() as standby) as own`

export async function roleOf(client: pg.Client, timeoutMs: number): Promise<Role> {
  // The driver's types lack the timeout of a single query.
  const query: pg.QueryConfig & Pick<pg.ClientConfig, 'query_timeout'> = { text: roleQuery, query_timeout: timeoutMs }
  const { rows } = await client.query(query)
  const { standby, timeline } = rows[0]
  return { isStandby: standby, timeline: standby ? 0 : Number.parseInt(timeline, 16) }
}
