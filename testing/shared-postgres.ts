/** One PostgreSQL server for all tests of a run, each test with a database of its own in it. */
import pg from 'pg'
import { startPostgres } from './postgres.ts'

const variable = 'NOMEN_TEST_POSTGRES'

/** Vitest calls it once before all tests, and what it gives after them. */
export default async function setup(): Promise<() => Promise<void>> {
  // With a database for each test the server would be cleaning up somewhere all the time.
  const server = await startPostgres({ settings: { autovacuum: 'off' } })
  process.env[variable] = server.url()
  return () => server.remove()
}

/** What a database is to hold from the start: filled once in a run, then copied as a whole, which is quicker. */
export interface Template {
  /** Tells it from other templates: lower-case letters, digits and `_`. */
  readonly name: string
  /** Fills an empty database. No connection may be left behind. */
  fill(url: string): Promise<void>
}

let made = 0

/** Makes a database in the server of this run, empty unless it is to be a copy. */
export async function temporaryPostgres(
  template?: Template,
): Promise<{ readonly url: string; remove(): Promise<void> }> {
  const name = `test_${process.pid}_${++made}`
  if (template) await fillOnce(template)
  await administer(`create database ${name}${template ? ` template template_${template.name}` : ''}`)
  // Nobody waits for what is not needed any more; the last ones go with the server.
  const remove = async () => void administer(`drop database if exists ${name} with (force)`).catch(() => {})
  return { url: urlOf(name), remove }
}

/** Templates that this process knows to be there. */
const filled = new Set<string>()

/** Whichever process comes first fills it; the others wait for it. */
async function fillOnce({ name, fill }: Template): Promise<void> {
  if (filled.has(name)) return
  const database = `template_${name}`
  const client = new pg.Client(server())
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [database])
    const { rows } = await client.query('select from pg_database where datname = $1', [database])
    if (rows.length === 0) {
      // Under its own name it is there only when it is full.
      await client.query(`create database filling_${name}`)
      await fill(urlOf(`filling_${name}`))
      await client.query(`alter database filling_${name} rename to ${database}`)
    }
    filled.add(name)
  } finally {
    await client.end()
  }
}

function server(): string {
  const url = process.env[variable]
  if (url === undefined) throw new Error(`${variable} is not set: the tests of this project start no PostgreSQL.`)
  return url
}

function urlOf(database: string): string {
  const url = new URL(server())
  url.pathname = `/${database}`
  return url.href
}

let administrator: Promise<pg.Client> | undefined

/** By one connection of this process, which does not keep the process alive. */
async function administer(statement: string): Promise<void> {
  administrator ??= (async () => {
    const client = new pg.Client({ connectionString: server(), pipeline: true })
    client.on('error', () => {})
    await client.connect()
    ;(client as pg.Client & { unref(): void }).unref()
    return client
  })()
  await (await administrator).query(statement)
}
