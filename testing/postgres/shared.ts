/** One PostgreSQL server for all tests of a run. Each test has its own database. */
import pg from 'pg'
import { startPooler } from './pooler.ts'
import { startPostgres } from './server.ts'

const variable = 'NOMEN_TEST_POSTGRES'

/** Vitest calls it once before all tests, and the function that it returns after them. */
export default async function setup(): Promise<() => Promise<void>> {
  // With many short-lived databases, autovacuum would run all the time.
  const server = await startPostgres({ settings: { autovacuum: 'off' } })
  process.env[variable] = server.url()
  const pooler = await startPooler(server.url())
  return async () => {
    await pooler?.stop()
    await server.remove()
  }
}

/** The initial content of a database: filled once per run, then copied, which is faster. */
export interface Template {
  /** The name of the template: lower-case letters, digits and `_`. */
  readonly name: string
  /** Fills an empty database, and closes all connections. */
  fill(url: string): Promise<void>
}

let databaseCount = 0

/** Creates a database in the server of this run: empty, or a copy of a template. */
export async function temporaryPostgres(
  template?: Template,
): Promise<{ readonly url: string; remove(): Promise<void> }> {
  const name = `test_${process.pid}_${++databaseCount}`
  if (template) await fillOnce(template)
  await administer(`create database ${name}${template ? ` template template_${template.name}` : ''}`)
  // Tests do not wait for the removal. The last databases are removed with the server.
  const remove = async () => void administer(`drop database if exists ${name} with (force)`).catch(() => {})
  return { url: urlOf(name), remove }
}

/** Creates an empty schema in a database of this process: 50 times faster than creating a database. */
export async function temporarySchema(): Promise<{ readonly url: string; remove(): Promise<void> }> {
  database ??= temporaryPostgres()
  const url = new URL((await database).url)
  schemas ??= connect(url.href)
  const schema = `test_${++schemaCount}`
  await (await schemas).query(`create schema ${schema}`)
  url.searchParams.set('options', `-c search_path=${schema}`)
  // Dropping many tables takes longer than leaving them to the end of the server.
  return { url: url.href.replaceAll('+', '%20'), remove: async () => {} }
}

let database: ReturnType<typeof temporaryPostgres> | undefined
let schemas: Promise<pg.Client> | undefined
let schemaCount = 0

/** Templates that exist, as far as this process knows. */
const filledTemplates = new Set<string>()

/** Fills a template in the first process; the others wait. */
async function fillOnce({ name, fill }: Template): Promise<void> {
  if (filledTemplates.has(name)) return
  const database = `template_${name}`
  const client = new pg.Client(server())
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [database])
    const { rows } = await client.query('select from pg_database where datname = $1', [database])
    if (rows.length === 0) {
      // The template gets its name only when it is complete.
      await client.query(`create database filling_${name}`)
      await fill(urlOf(`filling_${name}`))
      await client.query(`alter database filling_${name} rename to ${database}`)
    }
    filledTemplates.add(name)
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
  // On a busy machine, a new connection may take longer than a service normally waits.
  url.searchParams.set('connect_timeout', '60')
  return url.href
}

let administrator: Promise<pg.Client> | undefined

async function administer(statement: string): Promise<void> {
  administrator ??= connect(server())
  await (await administrator).query(statement)
}

/** A connection that does not keep the process alive. */
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, pipeline: true })
  client.on('error', () => {})
  await client.connect()
  ;(client as pg.Client & { unref(): void }).unref()
  return client
}
