/** A primary and its standby, which the primary waits for at every commit. */
import { type PostgresServer, startPostgres, startStandby } from '@nomen/testing/postgres'
import pg from 'pg'
import { onTestFinished } from 'vitest'

export interface Pair {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
  /** The address of a database, both hosts in it, the primary first. */
  readonly address: string
  /** Makes the standby the primary. */
  promote(): Promise<void>
}

export async function startPair(): Promise<Pair> {
  const primary = await startPostgres({ isDurable: true })
  onTestFinished(() => primary.remove())
  const own = await primary.createDatabase()
  const standby = await startStandby(primary, 'second', { isDurable: true })
  onTestFinished(() => standby.remove())
  await administer(primary.url(), `alter system set synchronous_standby_names = 'second'`)
  await administer(primary.url(), 'select pg_reload_conf()')
  const database = new URL(own).pathname
  return {
    primary,
    standby,
    address: `postgres://nomen@127.0.0.1:${primary.port},127.0.0.1:${standby.port}${database}`,
    promote: async () => void (await administer(standby.url(), 'select pg_promote()')),
  }
}

/** Asks a server itself, beside any service. */
export async function administer(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
