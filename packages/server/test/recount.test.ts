// Tallies compared with the records and corrected, on both databases, after writes that bypassed the triggers.

import { DatabaseSync } from 'node:sqlite'
import { api, boolean, choice, identity, noun, resource } from '@nomen/core'
import { DatabaseError, MigrationError, type OpenService, open, service } from '@nomen/server'
import { recountDatabase } from '@nomen/server/admin'
import { inject } from '@nomen/testing/inject'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryPath } from './temporary-database.ts'

const task = noun('task', {
  id: identity(),
  state: choice('OPEN', 'DONE').nullable(),
  isUrgent: boolean().default(false).column('urgent'),
})
const place = noun('place', { id: identity('guid'), isOpen: boolean().default(true) }, { history: true })
const desk = api('desk', { versioning: 'per-noun', writes: 'nested', resources: [resource(task), resource(place)] })
const declared = service({ name: 'desk', apis: [desk] })

interface Prepared {
  readonly address: string
  readonly app: OpenService
  /** Runs SQL as another program does. */
  run(sql: string): Promise<void>
}

/** So far apart that they lie in different blocks of every level. */
const tasks = `insert into task (id, state, urgent) values (1, 'OPEN', true), (2, 'DONE', false), (300, 'OPEN', false),
  (70000, null, false), (2000000, 'OPEN', true)`
const places = `insert into place (id, "isOpen") values ('0a1b2c3d-0000-4000-8000-000000000001', true),
  ('fa1b2c3d-0000-4000-8000-000000000002', false)`

async function onSqlite(): Promise<Prepared> {
  const path = temporaryPath()
  const address = `sqlite:${path}`
  const app = await openDesk(address)
  const database = new DatabaseSync(path)
  onTestFinished(() => database.close())
  return { address, app, run: async (sql) => database.exec(sql) }
}

async function onPostgres(): Promise<Prepared> {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  const app = await openDesk(url)
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  // Other programs give identities of their own.
  await client.query(`select setval(pg_get_serial_sequence('task', 'id'), 3000000)`)
  return { address: url, app, run: async (sql) => void (await client.query(sql)) }
}

async function openDesk(address: string): Promise<OpenService> {
  const app = await open(declared, { database: address })
  onTestFinished(() => app.close())
  return app
}

async function prepared(make: () => Promise<Prepared>): Promise<Prepared> {
  const database = await make()
  await database.run(`${tasks}; ${places}`)
  return database
}

/** `history-total.test.ts` has the numbers of history entries. */
const recount = async ({ address }: Prepared, mode: 'check' | 'fix') =>
  (await recountDatabase(address, declared, mode)).filter((count) => count.noun !== 'change')
const check = (database: Prepared) => recount(database, 'check')
const fix = (database: Prepared) => recount(database, 'fix')
const total = async ({ app }: Prepared, query: string) =>
  (await inject(app, `/task?pageSize=1${query}`)).json().pageInfo.numberOfRecords

const right = (noun: string, numberOfRecords: number) => ({ noun, numberOfRecords, miscounts: [], missing: [] })
const places2 = right('place', 2)

describe.each([
  {
    name: 'SQLite',
    make: onSqlite,
    // Without recursive triggers, what is replaced is deleted past them.
    past: `replace into task (id, state, urgent) values (1, 'DONE', 1), (2, 'DONE', 0)`,
    wrongPages: `update _tally_task set block = 7 where key = '' and level = 0 and block = 0`,
    lost: 'drop trigger _tally_task_insert; drop table _tally_place',
    missing: [['_tally_task_insert'], ['_tally_place']],
  },
  {
    name: 'PostgreSQL',
    make: onPostgres,
    past: `select _tally_task_fold(); set session_replication_role = replica;
      insert into task (id, state, urgent) values (5, 'DONE', true), (6, 'DONE', false); delete from task where id in (5, 6);
      update task set state = 'DONE' where id = 1; insert into task (id, state, urgent) values (7, 'DONE', true), (8, 'DONE', false);
      set session_replication_role = origin; delete from task where id in (7, 8)`,
    wrongPages: `select _tally_task_fold(); update _tally_task set parts[2] = parts[1], parts[1] = 0 where key = '' and level = 1 and node = 0`,
    lost: 'alter table task disable trigger _tally_task_on_insert; drop table _tally_place_delta',
    missing: [['_tally_task_on_insert'], ['_tally_place_delta', '_tally_place_delta_key']],
  },
])('tallies on $name', ({ name, make, past, wrongPages, lost, missing }) => {
  it('are correct while triggers see every change', async () => {
    const database = await prepared(make)
    await inject(database.app, { method: 'PATCH', url: '/task/2', payload: { state: null, isUrgent: true } })
    await inject(database.app, { method: 'DELETE', url: '/task/300' })
    expect(await check(database)).toEqual([right('task', 4), places2])
    expect(await fix(database)).toEqual([right('task', 4), places2])
  })

  it('are reported if writes bypassed the triggers, and corrected while a service runs', async () => {
    const database = await prepared(make)
    await database.run(past)
    const nounCounts = await check(database)
    expect(nounCounts).toMatchObject([{ noun: 'task', numberOfRecords: 5, missing: [] }, places2])
    const counts = nounCounts[0]?.miscounts.map(({ values, stored, actual }) => [values, stored, actual])
    expect(counts).toContainEqual([[], name === 'SQLite' ? 7 : 3, 5])
    expect(counts).toContainEqual([[['state', 'OPEN']], 3, 2])
    // A check has changed nothing.
    expect(await total(database, '')).toBe(name === 'SQLite' ? 7 : 3)
    expect(await fix(database)).toEqual(nounCounts)
    expect(await check(database)).toEqual([right('task', 5), places2])
    expect([await total(database, ''), await total(database, '&state=OPEN')]).toEqual([5, 2])
    await inject(database.app, { method: 'POST', url: '/task', payload: { state: 'DONE', isUrgent: true } })
    expect(await total(database, '&isUrgent=true')).toBe(3)
    expect(await check(database)).toEqual([right('task', 6), places2])
  })

  it('are reported if totals are correct but pages would start at the wrong record', async () => {
    const database = await prepared(make)
    await database.run(wrongPages)
    expect(await check(database)).toEqual([
      { ...right('task', 5), miscounts: [{ values: [], stored: 5, actual: 5, numberOfDifferences: 2 }] },
      places2,
    ])
    await fix(database)
    expect(await check(database)).toEqual([right('task', 5), places2])
  })

  it('are maintained again after triggers or tables were dropped', async () => {
    const database = await prepared(make)
    await database.run(
      `${lost}; delete from task where id = 1; insert into task (id, state, urgent) values (9, null, false)`,
    )
    expect((await check(database)).map((count) => count.missing)).toEqual(missing)
    expect((await fix(database)).map((count) => count.missing)).toEqual(missing)
    expect(await check(database)).toEqual([right('task', 5), places2])
    await database.run(`insert into task (id, state, urgent) values (10, 'OPEN', false); delete from place`)
    expect(await check(database)).toEqual([right('task', 6), right('place', 0)])
    expect(await total(database, '&state=OPEN')).toBe(3)
  })

  it('are not changed in a database with other declarations', async () => {
    const database = await prepared(make)
    const other = noun('task', { id: identity(), state: choice('OPEN', 'DONE').nullable() })
    const changed = api('desk', { versioning: 'per-noun', writes: 'nested', resources: [resource(other)] })
    const changedService = service({ name: 'desk', apis: [changed] })
    await expect(recountDatabase(database.address, changedService, 'fix')).rejects.toThrow(MigrationError)
  })
})

it('reports a missing file, and does not create it', async () => {
  const database = { address: `sqlite:${temporaryPath()}` } as Prepared
  await expect(check(database)).rejects.toThrow(DatabaseError)
  await expect(fix(database)).rejects.toThrow(/the file does not exist/)
})

it('recounts while instances write and merge tallies', async () => {
  const database = await prepared(onPostgres)
  const disturb = `update _tally_task set records = records + 1 where level = 2 and key = ''`
  let isOver = false
  const statuses = new Set<number>()
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let turn = 0; !isOver; turn++) {
      const created = await inject(database.app, { method: 'POST', url: '/task', payload: { state: 'OPEN' } })
      statuses.add(created.statusCode)
      if (turn % 3 !== writer % 3) continue
      statuses.add((await inject(database.app, { method: 'DELETE', url: `/task/${created.json().id}` })).statusCode)
    }
  })
  try {
    for (let turn = 0; turn < 3; turn++) {
      await database.run(`select _tally_task_fold(); ${disturb}`)
      expect((await fix(database))[0]?.miscounts).toMatchObject([{ values: [] }])
      expect((await check(database))[0]?.miscounts).toEqual([])
    }
  } finally {
    isOver = true
    await Promise.all(writers)
  }
  expect((await check(database))[0]?.miscounts).toEqual([])
  expect([...statuses].sort()).toEqual([200, 201])
})
