/** A primary with a synchronous standby. */
import { type PostgresServer, startPostgres, startStandby } from '@nomen/testing/postgres'
import pg from 'pg'
import { onTestFinished } from 'vitest'

export interface Pair {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
  /** The URL of a database with both hosts, the primary first. */
  readonly address: string
  /** Promotes the standby to the primary. */
  promote(): Promise<void>
}

export async function startPair(): Promise<Pair> {
  const primary = await startPostgres({ isDurable: true })
  onTestFinished(() => primary.remove())
  const databaseUrl = await primary.createDatabase()
  const standby = await startStandby(primary, 'second', { isDurable: true })
  onTestFinished(() => standby.remove())
  await administer(primary.url(), `alter system set synchronous_standby_names = 'second'`)
  await administer(primary.url(), 'select pg_reload_conf()')
  const database = new URL(databaseUrl).pathname
  return {
    primary,
    standby,
    address: `postgres://nomen@127.0.0.1:${primary.port},127.0.0.1:${standby.port}${database}`,
    promote: async () => void (await administer(standby.url(), 'select pg_promote()')),
  }
}

/** Runs a statement on a server directly. */
export async function administer(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
