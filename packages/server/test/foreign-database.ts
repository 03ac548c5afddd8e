/** A database of another program, gone when the test is over. */
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { onTestFinished } from 'vitest'

export interface ForeignDatabase {
  readonly url: string
  /** Runs SQL as the other program. */
  run(text: string): Promise<Row[]>
  /** A connection more of the other program. */
  connect(): Promise<pg.Client>
}

// biome-ignore lint/suspicious/noExplicitAny: the test knows the type of the body
type Row = any

/** A database that these statements have made. */
export async function foreignDatabase(statements: string): Promise<ForeignDatabase> {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  const connect = async () => {
    const client = new pg.Client(url)
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }
  const other = await connect()
  await other.query(statements)
  return { url, connect, run: async (text) => (await other.query(text)).rows }
}

/** Waits until a session waits for a lock. */
export async function someoneWaits({ run }: ForeignDatabase): Promise<void> {
  const text = `select count(*)::int as number from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await run(text))[0].number === 0) await new Promise((resolve) => setTimeout(resolve, 10))
}
