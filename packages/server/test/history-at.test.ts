// GET /user/{id}?at=<time>: a record as it was, also after it was deleted.
import { setTimeout as pause } from 'node:timers/promises'
import { change, decimal, identity, integer, noun, operations, reference, resource, tenant, text } from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import { compute, type Service, service, visible } from '@nomen/server'
import { migrateDatabase } from '@nomen/server/admin'
import { testDatabase } from '@nomen/testing/test-database'
import { expect, it, onTestFinished } from 'vitest'
import { persistentDatabase } from './persistent-database.ts'
import { openService, plainApi } from './test-service.ts'
import { callerOf, openCallerClient } from './visible/caller-client.ts'

const user = noun(
  'user',
  { id: identity(), first: text(), last: text().default('L'), rank: integer().default(0) },
  { history: true, computed: { full: text() } },
)
const note = noun('note', { key: identity('guid'), user: reference(() => user), line: text() }, { history: true })
const plain = noun('plain', { id: identity(), name: text() })
const directory = plainApi(resource(user, { children: [resource(note)], rename: { family: 'last' } }), resource(plain))
const definition = service({
  name: 'directory',
  apis: [directory],
  computed: [compute(user, 'full', ['first', 'last'], ({ first, last }) => `${first} ${last}`)],
})

/** A time after everything before, and before everything after. */
async function now(): Promise<string> {
  await pause(2)
  const time = new Date().toISOString()
  await pause(2)
  return time
}

it('returns the record at the time, with computed fields and without an ETag', async () => {
  const { get, send } = await openService(definition)
  const start = await now()
  const first = (await send('POST', '/user', { first: 'Ada' })).body
  const created = await now()
  const second = (await send('PATCH', '/user/1', { first: 'Eve', family: 'B' })).body
  const changed = await now()
  await send('PATCH', '/user/1', { first: 'Ida', rank: 3 })
  await send('PATCH', '/user/1', { first: 'Ada' })
  const edited = await now()
  await send('DELETE', '/user/1')
  const at = (time: string, headers = {}) => get(`/user/1?at=${time}`, headers)
  expect((await at(start)).status).toBe(404)
  expect((await at(created)).body).toEqual(first)
  expect((await at(changed)).body).toEqual(second)
  expect((await at(edited)).body).toMatchObject({ first: 'Ada', family: 'B', full: 'Ada B', rank: 3 })
  expect((await at(await now())).status).toBe(404)
  expect((await at(edited)).headers.etag).toBeUndefined()
  expect((await at(edited, { 'if-none-match': '*' })).status).toBe(200)
  expect((await at(edited, { 'if-match': '"1-1-x"' })).status).toBe(412)
})

it('reads entries that are too large for one list', async () => {
  const { get, send } = await openService(definition)
  await send('POST', '/user', { first: 'Ada' })
  const time = await now()
  for (let at = 0; at < 130; at++) await send('PATCH', '/user/1', { first: `${at} ${'x'.repeat(40_000)}` })
  expect((await get(`/user/1?at=${time}`)).body.first).toBe('Ada')
})

it('finds the values of fields that changed after many changes of another one', async () => {
  const { get, send } = await openService(definition)
  await send('POST', '/user', { first: 'Ada' })
  const start = await now()
  const patches = (number: number) =>
    Promise.all(Array.from({ length: number }, (_, at) => send('PATCH', '/user/1', { first: `${number} ${at}` })))
  await patches(510)
  await send('PATCH', '/user/1', { rank: 7 })
  const ranked = await now()
  await patches(510)
  await send('PATCH', '/user/1', { family: 'Z', rank: 8 })
  const at = async (time: string) => (await get(`/user/1?at=${time}`)).body
  expect(await at(start)).toMatchObject({ first: 'Ada', family: 'L', rank: 0 })
  expect(await at(ranked)).toMatchObject({ family: 'L', rank: 7 })
  await send('DELETE', '/user/1')
  expect(await at(start)).toMatchObject({ first: 'Ada', family: 'L', rank: 0 })
  expect(await at(ranked)).toMatchObject({ family: 'L', rank: 7 })
})

it('returns deleted records below the parent that they had', async () => {
  const { get, send } = await openService(definition)
  for (const first of ['Ada', 'Eve']) await send('POST', '/user', { first })
  const { body } = await send('POST', '/user/1/note', { line: 'x' })
  const time = await now()
  await send('DELETE', `/user/1/note/${body.key}`)
  expect((await get(`/user/1/note/${body.key}?at=${time}`)).body).toEqual(body)
  expect((await get(`/user/2/note/${body.key}?at=${time}`)).status).toBe(404)
  expect((await get(`/user/3/note/${body.key}?at=${time}`)).body.detail).toBe('There is no user 3.')
})

it('rejects times that are invalid or before the history', async () => {
  const before = await now()
  const { get, send } = await openService(definition)
  await send('POST', '/user', { first: 'Ada' })
  const problems = {
    '/user/1?at=yesterday': [400, 'invalid-parameter'],
    '/user/1?at=': [400, 'invalid-parameter'],
    '/user/1?at=2099-01-01T00:00:00Z&at=2099-01-01T00:00:00Z': [400, 'invalid-parameter'],
    '/user/1?from=2099-01-01T00:00:00Z': [400, 'unknown-parameter'],
    '/plain/1?at=2099-01-01T00:00:00Z': [400, 'unknown-parameter'],
    [`/user/1?at=${before}`]: [404, 'history-too-short'],
    '/user/9?at=2099-01-01T00:00:00Z': [404, 'record-not-found'],
    '/user/9?at=9999-12-31T23:59:59.999Z': [404, 'record-not-found'],
  }
  for (const [url, expected] of Object.entries(problems)) {
    const { status, body } = await get(url)
    expect([url, status, body.code]).toEqual([url, ...expected])
  }
  expect((await get('/user/1?at=yesterday')).body.detail).toBe(
    'Parameter "at" must be a timestamp such as 2026-11-15T03:29:00.000Z, not "yesterday".',
  )
  for (const time of ['2099-01-01T00:00:00%2B02:00', '9999-12-31T23:59:59.999Z'])
    expect((await get(`/user/1?at=${time}`)).status).toBe(200)
})

it('knows that a history ended and began again, and which fields a migration changed', async () => {
  const database = await persistentDatabase()
  const versionOf = (item: ReturnType<typeof noun>) =>
    service({ name: 'items', apis: [plainApi(resource(item as typeof plain), resource(change))] })
  const opened = async (item: ReturnType<typeof noun>) => openService(versionOf(item), { database })
  const fields = { id: identity(), name: text() }
  const recorded = noun('item', fields, { history: true })
  const first = await opened(recorded)
  await first.send('POST', '/item', { name: 'a' })
  const time = await now()
  const withoutHistory = noun('item', fields)
  await migrateDatabase(database, versionOf(withoutHistory), 'contract')
  const second = await opened(withoutHistory)
  await second.send('PATCH', '/item/1', { name: 'b' })
  const third = await opened(recorded)
  expect((await third.get(`/item/1?at=${time}`)).body.code).toBe('history-too-short')
  const restarted = await now()
  const fourth = await opened(noun('item', { ...fields, size: integer().default(7) }, { history: true }))
  expect((await fourth.get(`/item/1?at=${restarted}`)).body).toEqual({ id: 1, name: 'b', size: 7 })
  await fourth.send('PATCH', '/item/1', { name: 'c', size: 8 })
  // The values of this time have another type: those after the migration are returned.
  const converted = noun('item', { id: identity(), name: text(), size: text() }, { history: true })
  await migrateDatabase(database, versionOf(converted), 'apply')
  const fifth = await opened(converted)
  expect((await fifth.get(`/item/1?at=${restarted}`)).body).toEqual({ id: 1, name: 'b', size: '8' })
  const entries = (await fifth.get('/change?record=item&sort=id')).body.results
  expect(entries.map(({ kind, fields, application }: Record<string, string>) => [kind, fields, application])).toEqual([
    ['STARTED', null, 'nomen migrate'],
    ['STARTED', null, 'nomen migrate'],
    ['MIGRATED', 'size', 'nomen migrate'],
    ['MIGRATED', 'size', 'nomen migrate'],
  ])
})

async function openClient(definition: Service) {
  const { address, remove } = await testDatabase()
  const client = await openCallerClient(definition, address)
  onTestFinished(async () => {
    await client.close()
    await remove()
  })
  return client
}

it('shows deleted records to those who could see them, and no fields that need another scope', async () => {
  const member = noun(
    'member',
    { id: identity(), login: text(), salary: decimal({ scale: 2 }).default('1.00').visibleTo('salary:read') },
    { history: true },
  )
  const { send } = await openClient(
    service({
      name: 'company',
      apis: [plainApi(resource(member))],
      visibility: [visible(member, ({ user }) => user === 'auditor' || { login: `${user}` })],
    }),
  )
  const [auditor, ada, bob] = ['auditor', 'ada', 'bob'].map((name) => ({
    ...callerOf(name),
    scopes: ['*:read', '*:write'],
  }))
  const get = async (caller = ada, url = '') =>
    (await send(caller as NonNullable<typeof ada>, { method: 'GET', url })).body
  await send(auditor as NonNullable<typeof ada>, { method: 'POST', url: '/member', body: { login: 'ada' } })
  const url = `/member/1?at=${await now()}`
  expect((await get(bob, url)).code).toBe('record-not-found')
  await send(auditor as NonNullable<typeof ada>, { method: 'DELETE', url: '/member/1' })
  const record = { id: 1, login: 'ada', salary: '1.00' }
  expect(await get(auditor, url)).toEqual(record)
  expect(await get(ada, url)).toEqual(record)
  expect((await get(bob, url)).code).toBe('record-not-found')
  expect(await get({ ...callerOf('ada'), scopes: ['member:read'] }, url)).toEqual({ id: 1, login: 'ada' })
})

it('does not show existing records that the caller cannot see now, or below another parent', async () => {
  const doc = noun(
    'doc',
    { id: identity(), owner: text(), archivedBy: text().nullable(), title: text() },
    { history: true },
  )
  const page = noun('page', { id: identity(), doc: reference(() => doc), line: text() }, { history: true })
  const { send } = await openClient(
    service({
      name: 'docs',
      apis: [plainApi(resource(doc, { children: [resource(page)] }), resource(page))],
      visibility: [visible(doc, ({ user }) => user === 'root' || { owner: `${user}`, archivedBy: null })],
    }),
  )
  const [root, ada] = ['root', 'ada'].map((name) => callerOf(name)) as [Caller, Caller]
  const write = (method: string, url: string, body: object) => send(root, { method, url, body })
  for (const title of ['one', 'two']) await write('POST', '/doc', { owner: 'ada', title })
  await write('POST', '/doc/1/page', { line: 'x' })
  const first = await now()
  await write('PATCH', '/doc/1', { archivedBy: 'root', title: 'SECRET' })
  const second = await now()
  await write('PATCH', '/doc/1', { title: 'again' })
  await write('PATCH', '/doc/2', { owner: 'bob' })
  await write('PATCH', '/page/1', { doc: 2 })
  const status = async (caller: Caller, url: string) => (await send(caller, { method: 'GET', url })).status
  for (const time of [first, second])
    for (const id of [1, 2]) expect(await status(ada, `/doc/${id}?at=${time}`)).toBe(404)
  expect(await status(root, `/doc/1/page/1?at=${first}`)).toBe(404)
  expect(await status(root, `/doc/2/page/1?at=${first}`)).toBe(200)
  // A deleted record is visible to those who could see it when it was deleted.
  await send(root, { method: 'DELETE', url: '/page/1' })
  await send(root, { method: 'DELETE', url: '/doc/2' })
  expect(await status(callerOf('bob'), `/doc/2?at=${first}`)).toBe(200)
  expect(await status(ada, `/doc/2?at=${first}`)).toBe(404)
})

type Caller = ReturnType<typeof callerOf>

it('shows deleted records to their tenant', async () => {
  const item = noun('item', { id: identity(), tenant: tenant(), line: text() }, { history: true })
  const { send } = await openClient(
    service({ name: 'items', apis: [plainApi(resource(item))], tenant: { claim: 'tenant' } }),
  )
  const [north, south] = ['north', 'south'].map((name) => callerOf('ada', { tenant: name })) as [never, never]
  await send(north, { method: 'POST', url: '/item', body: { line: 'x' } })
  const url = `/item/1?at=${await now()}`
  await send(north, { method: 'DELETE', url: '/item/1' })
  expect((await send(north, { method: 'GET', url })).body).toMatchObject({ id: 1, line: 'x' })
  expect((await send(south, { method: 'GET', url })).status).toBe(404)
})

it('is a parameter of reads in the OpenAPI document', () => {
  const parametersOf = (path: string) =>
    JSON.stringify((openapi(directory) as never as { paths: Record<string, { get: object }> }).paths[path]?.get)
  expect(parametersOf('/user/{id}')).toContain('"name":"at"')
  expect(parametersOf('/plain/{id}')).not.toContain('"name":"at"')
  expect(
    operations(directory)
      .filter(({ at }) => at)
      .map(({ id }) => id),
  ).toEqual(['user.read', 'user.note.read'])
})
