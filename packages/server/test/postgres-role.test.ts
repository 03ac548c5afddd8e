// A database user for the service that may only read and write records, and another one for migrations.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { change, choice, identity, noun, resource, text } from '@nomen/core'
import { open } from '@nomen/server'
import { loadRecords, migrateDatabase } from '@nomen/server/admin'
import { blocksOf } from '@nomen/testing/markdown/block'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { sourceOf } from './bulk-bench.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const status = choice('OPEN', 'DONE').default('OPEN')
const note = noun('note', { id: identity(), title: text(), status }, { history: true })
const notes = serviceOf([plainApi(resource(note, { search: ['title'] }), resource(change))])
const wider = noun('note', { id: identity(), title: text(), status, due: text().nullable() }, { history: true })
const next = serviceOf([plainApi(resource(wider, { search: ['title'] }), resource(change))])

const page = readFileSync(new URL('../../../docs/postgresql.md', import.meta.url), 'utf8')
const statements = `${blocksOf(page).find(({ code }) => code.startsWith('create role'))?.code}`

/** A database with the users of docs/postgresql.md, and its URL for the owner and for the service. */
async function databaseWithRoles() {
  const { url, remove } = await temporaryPostgres()
  const suffix = randomUUID().replaceAll('-', '')
  const [database, owner, app] = ['directory', 'directory_owner', 'directory_app'].map((name) => `${name}_${suffix}`)
  const urlOf = (user: string) => {
    const address = new URL(url)
    address.username = user
    address.pathname = `/${database}`
    return address.href
  }
  const administrator = new pg.Client(url)
  await administrator.connect()
  onTestFinished(async () => {
    await administrator.query(`drop database if exists ${database} with (force)`)
    await administrator.query(`drop role if exists ${owner}, ${app}`)
    await administrator.end()
    await remove()
  })
  const [before = '', after = ''] = statements
    .replaceAll(/\bdirectory(_\w+)?\b/g, `$&_${suffix}`)
    .split(/^\\connect .*$/m)
  for (const statement of before.split(';')) await administrator.query(statement)
  const connected = new pg.Client(urlOf(new URL(url).username))
  await connected.connect()
  await connected.query(after)
  await connected.end()
  return { owner: urlOf(`${owner}`), app: urlOf(`${app}`) }
}

it('a service needs no privilege to change the schema', async () => {
  const database = await databaseWithRoles()
  await expect(open(notes, { database: database.app })).rejects.toThrow('The database user may not change the schema')
  await migrateDatabase(database.owner, notes, 'expand')
  const faults: string[] = []
  const service = await openService(notes, {
    database: database.app,
    rateLimit: { number: 1000, windowMs: 1000 },
    onFault: (message, error) => faults.push(`${message} ${error}`),
  })
  expect((await service.send('POST', '/note', { title: 'A' }, { 'idempotency-key': 'k' })).status).toBe(201)
  expect((await service.send('PATCH', '/note/1', { status: 'DONE' })).status).toBe(200)
  expect((await service.get('/note?search=a&status=DONE')).body.pageInfo.numberOfRecords).toBe(1)
  expect((await service.get('/change')).body.results).toHaveLength(3)
  expect((await service.get('/change?afterId=0')).body.results).toHaveLength(3)
  expect((await service.send('DELETE', '/note/1')).status).toBe(200)

  await expect(open(next, { database: database.app })).rejects.toThrow('run this as the owner of the tables')
  await migrateDatabase(database.owner, next, 'expand')
  const widened = await openService(next, { database: database.app })
  expect((await widened.send('POST', '/note', { title: 'B', due: 'today' })).status).toBe(201)
  expect((await service.send('POST', '/note', { title: 'C' })).status).toBe(201)
  expect(faults).toEqual([])
})

it('a load needs no privilege to change the schema', async () => {
  const database = await databaseWithRoles()
  await migrateDatabase(database.owner, notes, 'expand')
  const lines = Array.from({ length: 1500 }, (_, index) => `Note ${index}\n`).join('')
  const source = sourceOf(`title\n${lines}`)
  expect(await loadRecords(notes, { database: database.app, noun: 'note', source })).toMatchObject({ loaded: 1500 })
  const service = await openService(notes, { database: database.app })
  expect((await service.get('/note?status=OPEN')).body.pageInfo.numberOfRecords).toBe(1500)
})
