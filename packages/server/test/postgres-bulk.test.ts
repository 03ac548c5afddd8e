import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { beforeAll } from 'vitest'
import { bulkSuite } from './bulk-suite.ts'
import { exportSuite } from './export-suite.ts'

let databaseCount = 0
let url = ''
let client: pg.Client

beforeAll(async () => {
  const database = await temporaryPostgres()
  url = database.url
  client = new pg.Client(url)
  await client.connect()
  return async () => {
    await client.end()
    await database.remove()
  }
})

/** A schema of its own in the one database of this file. */
async function make() {
  const schema = `bulk_${++databaseCount}`
  await client.query(`create schema ${schema}`)
  const address = new URL(url)
  address.searchParams.set('options', `-c search_path=${schema}`)
  return { address: address.href.replaceAll('+', '%20'), remove: () => client.query(`drop schema ${schema} cascade`) }
}

bulkSuite('on PostgreSQL', make)
exportSuite('on PostgreSQL', make)
