// Two versions of a service on one PostgreSQL database: the old one serves while the new one starts, and starts again.
import { setTimeout as pause } from 'node:timers/promises'
import { type AnyField, choice, identity, integer, noun, resource, text } from '@nomen/core'
import { migrateDatabase, recountDatabase } from '@nomen/server/admin'
import { temporarySchema } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openService, plainApi, serviceOf, type TestService } from './test-service.ts'

type Fields = Readonly<Record<string, AnyField>>

const name = text()
const phone = text().nullable()
const status = choice('OPEN', 'DONE').default('OPEN')
const old = { name, phone, status, size: integer().default(1) }

function versionOf(fields: Fields, options: object = {}) {
  return serviceOf([plainApi(resource(noun('user', { id: identity(), ...fields }), options))])
}

const first = versionOf(old)

async function emptyDatabase(): Promise<string> {
  const { url, remove } = await temporarySchema()
  onTestFinished(remove)
  return url
}

async function query(database: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

let turns = 0

/** Creates, changes, reads and lists until it is stopped. Returns the responses that were not a success. */
function load(app: TestService) {
  const failures: string[] = []
  let [isStopped, rounds] = [false, 0]
  const send = async (method: string, url: string, body?: unknown) => {
    const response = await app.send(method, url, body)
    if (response.status >= 300) failures.push(`${method} ${url} ${response.status} ${response.text}`)
    return response.body
  }
  const round = async () => {
    const { id } = (await send('POST', '/user', { name: `Näme ${turns++}` })) ?? {}
    await send('PATCH', `/user/${id}`, { name: `Name ${turns++}`, status: 'DONE' })
    await send('GET', `/user/${id}`)
    await send('GET', '/user?status=OPEN&sort=-name')
    rounds++
    await pause(5)
  }
  const done = (async () => {
    while (!isStopped) await round()
  })()
  return {
    /** Runs at least one more round. */
    stop: async () => {
      const seen = rounds
      await expect.poll(() => rounds, { interval: 5 }).toBeGreaterThan(seen)
      isStopped = true
      await done
      return failures
    },
  }
}

const { phone: _phone, size: _size, ...reduced } = old
const compatible: Readonly<Record<string, [fields: Fields, options?: object]>> = {
  'new fields and values': [
    {
      ...old,
      status: choice('OPEN', 'DONE', 'LATE').default('OPEN'),
      nickname: text().nullable(),
      town: text().default('Bern'),
      level: choice('LOW', 'HIGH').default('LOW'),
      alias: text().defaultFrom('name'),
    },
    { search: ['town'] },
  ],
  'removed and renamed fields': [{ ...reduced, name: text().nullable(), mobile: text().nullable().column('phone') }],
  'a removed field with a default': [{ ...reduced, phone }],
  'a new index, search, sort order and unique field': [
    { ...old, name: text({ sort: 'de' }).unique() },
    { search: ['phone', 'name'] },
  ],
}

describe('a new version with', () => {
  it.each(Object.entries(compatible))('%s starts beside the old one, which starts again', async (_, change) => {
    const database = await emptyDatabase()
    const second = versionOf(...change)
    const a = await openService(first, { database })
    const work = load(a)
    const b = await openService(second, { database })
    expect(await work.stop()).toEqual([])
    const workOfB = load(b)
    await a.app.close()

    const again = await openService(first, { database })
    expect(await load(again).stop()).toEqual([])
    expect(await workOfB.stop()).toEqual([])
    for (const app of [again, b]) expect((await app.get('/health/ready')).body.parts.database).toEqual({ status: 'ok' })
    // Totals that were counted while others wrote are exact.
    for (const count of await recountDatabase(database, second, 'check'))
      expect(count).toMatchObject({ miscounts: [], missing: [] })
    const before = await query(database, 'select * from _schema')
    for (const version of [second, first, second]) await (await openService(version, { database })).app.close()
    expect(await query(database, 'select * from _schema')).toEqual(before)
  })

  const incompatible: Readonly<Record<string, [fields: Fields, message: string]>> = {
    'a renamed field': [
      { ...reduced, size: old.size, mobile: text().nullable().renamedFrom('phone') },
      "Keep the column with .column('phone')",
    ],
    'another type of a field': [{ ...old, size: text().default('1') }, 'from integer to text'],
    'a removed required field': [{ phone, status, size: old.size }, 'drop field "name"'],
    'an added required field without a value': [{ ...old, motto: text() }, 'Existing records would have no value'],
  }

  it.each(Object.entries(incompatible))('%s does not start, and changes nothing', async (_, [fields, message]) => {
    const database = await emptyDatabase()
    const a = await openService(first, { database })
    const before = await query(database, 'select * from _schema')
    const work = load(a)
    await expect(openService(versionOf(fields), { database })).rejects.toThrow(message)
    expect(await work.stop()).toEqual([])
    expect(await query(database, 'select * from _schema')).toEqual(before)
  })
})

describe('an old version', () => {
  it('does not add an empty field that the new one has renamed', async () => {
    const database = await emptyDatabase()
    const a = await openService(first, { database })
    await a.app.close()
    const renamed = versionOf({ ...reduced, size: old.size, mobile: text().nullable().renamedFrom('phone') })
    await migrateDatabase(database, renamed, 'apply')
    await expect(openService(first, { database })).rejects.toThrow('Its values are in "mobile"')
  })

  it('keeps the search columns of the new one current', async () => {
    const database = await emptyDatabase()
    const a = await openService(first, { database })
    await a.send('POST', '/user', { name: 'ÉVA' })
    const second = versionOf(old, { search: ['name'] })
    const b = await openService(second, { database })
    const found = (search: string) => b.column('id', `/user?search=${search}`)
    expect(await found('éva')).toEqual([1])
    await a.send('POST', '/user', { name: 'Bob' })
    expect(await found('bob')).toEqual([2])
    await a.send('PATCH', '/user/1', { name: 'Cäsar' })
    expect(await found('éva')).toEqual([])
    // PostgreSQL cannot fold it. The next start or contraction does.
    await migrateDatabase(database, second, 'contract')
    expect(await found('cÄsar')).toEqual([1])
    expect(
      await query(database, "select from pg_trigger where tgrelid = '\"user\"'::regclass and tgname like '_derive%'"),
    ).toEqual([])
  })
})

describe('a contraction', () => {
  it('drops what the declarations no longer have, while the service runs', async () => {
    const database = await emptyDatabase()
    const a = await openService(first, { database })
    for (const turn of [1, 2]) await a.send('POST', '/user', { name: `${turn}`, phone: '1' })
    await a.app.close()
    const second = versionOf({
      name,
      status: choice('OPEN', 'DONE', 'LATE').default('OPEN'),
      phone: text().default('0'),
      town: text().default('Bern'),
    })
    const b = await openService(second, { database })
    await b.send('POST', '/user', { name: '3', phone: '2', status: 'LATE' })
    const work = load(b)
    const { changes } = await migrateDatabase(database, second, 'contract')
    expect(changes.map(({ sentence }) => sentence)).toEqual([
      'restore the constraint of field "status" of "user"',
      'make field "phone" of "user" required',
      'restore the constraint of field "phone" of "user"',
      'drop the database default of field "town" of "user"',
      'drop field "size" of "user"',
    ])
    expect(await work.stop()).toEqual([])
    const columns = await query(
      database,
      `select column_name as name, is_nullable, column_default from information_schema.columns
      where table_schema = current_schema() and table_name = 'user' and column_name in ('phone', 'size', 'town') order by 1`,
    )
    expect(columns).toEqual([
      { name: 'phone', is_nullable: 'NO', column_default: null },
      { name: 'town', is_nullable: 'NO', column_default: null },
    ])
    expect((await migrateDatabase(database, second, 'contract')).changes).toEqual([])
  })

  it('is rejected before the expansion', async () => {
    const database = await emptyDatabase()
    await openService(first, { database })
    const second = versionOf({ ...old, nickname: text().nullable() })
    await expect(migrateDatabase(database, second, 'contract')).rejects.toThrow('run: nomen migrate --expand')
  })
})
