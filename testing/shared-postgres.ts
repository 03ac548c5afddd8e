/** One PostgreSQL server for all tests of a run, each test with a database of its own in it. */
import pg from 'pg'
import { startPostgres } from './postgres.ts'

const variable = 'NOMEN_TEST_POSTGRES'

/** Vitest calls it once before all tests, and what it gives after them. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await startPostgres()
  process.env[variable] = server.url()
  return () => server.remove()
}

let made = 0

/** Makes an empty database in the server of this run. */
export async function temporaryPostgres(): Promise<{ readonly url: string; remove(): Promise<void> }> {
  const server = process.env[variable]
  if (server === undefined) throw new Error(`${variable} is not set: the tests of this project start no PostgreSQL.`)
  const name = `test_${process.pid}_${++made}`
  await administer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, remove: () => administer(server, `drop database ${name} with (force)`) }
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
