/** One PgBouncer for all services of a run, if the run is for a pooler. */
import { type PgBouncer, type PoolMode, startPgBouncer } from './pgbouncer.ts'

/** The pool mode of the run, and the URL of its PgBouncer. */
const { NOMEN_TEST_POOLER: mode } = process.env
const variable = 'NOMEN_TEST_POOLER_URL'

/** Each test has a database of its own: their idle sessions end soon, and there are many connections. */
const settings = { max_client_conn: 1000, server_idle_timeout: 2 }

export async function startPooler(url: string): Promise<PgBouncer | undefined> {
  if (mode === undefined) return undefined
  const pooler = await startPgBouncer(url, mode as PoolMode, settings)
  process.env[variable] = pooler.url
  return pooler
}

/** The settings of a service, through the pooler of this run. In transaction mode, migrations bypass it. */
export function throughPooler<Settings extends { readonly database: string }>(settings: Settings): Settings {
  const pooler = process.env[variable]
  if (pooler === undefined || !settings.database.startsWith('postgres:')) return settings
  const url = new URL(settings.database)
  url.host = new URL(pooler).host
  const direct = mode === 'transaction' && { databaseDirect: settings.database }
  return { ...settings, ...direct, database: url.href.replaceAll('+', '%20') }
}
