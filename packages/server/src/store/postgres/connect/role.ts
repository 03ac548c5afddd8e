/** What a server is among those that replace each other: a standby, or a primary and of which timeline. */
import type pg from 'pg'

export interface Role {
  readonly isStandby: boolean
  /** Counts up each time that a standby becomes the primary; 0 for a standby, which follows that of another. */
  readonly timeline: number
}

/** The name of a file of the log begins with the timeline that is written on. */
const question = `
  select standby, case when not standby then left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end as timeline
  from (select pg_is_in_recovery() as standby) as own`

export async function roleOf(client: pg.Client, patience: number): Promise<Role> {
  // The driver's types do not know the time limit of a single query.
  const asked: pg.QueryConfig & Pick<pg.ClientConfig, 'query_timeout'> = { text: question, query_timeout: patience }
  const { rows } = await client.query(asked)
  const { standby, timeline } = rows[0]
  return { isStandby: standby, timeline: standby ? 0 : Number.parseInt(timeline, 16) }
}
