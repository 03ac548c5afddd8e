// POST /user/{userId}/restoration: a deleted record comes back under its ID, with its links and the records that it owned.
import {
  api,
  change,
  choice,
  createdAt,
  decimal,
  identity,
  link,
  noun,
  operation,
  operations,
  reference,
  resource,
  scopeOf,
  tenant,
  text,
  timestamp,
} from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import { after, handle, type Service, service, visible } from '@nomen/server'
import { migrateDatabase } from '@nomen/server/admin'
import { testDatabase } from '@nomen/testing/test-database'
import { expect, it, onTestFinished } from 'vitest'
import { persistentDatabase } from './persistent-database.ts'
import { openService, plainApi } from './test-service.ts'
import { callerOf, openCallerClient } from './visible/caller-client.ts'

const team = noun('team', { key: identity('guid'), name: text() }, { history: true })
const user = noun(
  'user',
  {
    id: identity(),
    email: text().unique(),
    team: reference(() => team).nullable(),
    salary: decimal({ scale: 2 }).default('1.50'),
    seen: timestamp().nullable(),
    created: createdAt(),
  },
  { history: true },
)
const note = noun(
  'note',
  {
    key: identity('guid'),
    user: reference(() => user),
    line: text(),
    previous: reference(() => note).nullable(),
  },
  { history: true },
)
const mark = noun('mark', { id: identity(), note: reference(() => note), sign: text() }, { history: true })
const role = noun('role', { id: identity(), name: text() })
const plain = noun('plain', { id: identity(), name: text() })
const restoring = operation({ method: 'POST', on: 'collection' })
const directory = api('directory', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(team),
    resource(user, {
      children: [
        resource(note, { children: [resource(mark)] }),
        resource(role, { via: link(user, role) }),
        resource(change),
      ],
    }),
    resource(role),
    resource(plain, { operations: { restoring } }),
    resource(change),
  ],
})
const inTransaction = handle(plain, restoring, async ({ transaction }) => {
  await transaction(async (call) => {
    await call(directory).user.restore(1)
  })
})

const seen: string[] = []
const definition = service({
  name: 'directory',
  apis: [directory],
  handlers: [inTransaction],
  after: [
    after(user, ({ kind, record }) => void seen.push(`${kind} ${record.email}`)),
    after(mark, ({ kind, record }) => void seen.push(`${kind} ${record.sign}`)),
  ],
})

const restore = (path: string) => ['POST', `${path}/restoration`] as const

it('restores the record as it was, with a new version, and only once', async () => {
  const { get, send } = await openService(definition)
  const team = (await send('POST', '/team', { name: 'T' })).body.key
  await send('POST', '/user', { email: 'a@x', team, salary: '12.50', seen: '2026-01-02T03:04:05.678Z' })
  await send('PATCH', '/user/1', { email: 'b@x' })
  const before = await get('/user/1')
  await send('DELETE', '/user/1')
  const restored = await send(...restore('/user/1'), undefined, { 'user-agent': 'desk/1' })
  expect([restored.status, restored.body, restored.headers.location]).toEqual([201, before.body, '/user/1'])
  const now = await get('/user/1')
  expect(now.body).toEqual(before.body)
  expect(now.headers.etag).toBe(restored.headers.etag)
  expect(now.headers.etag).not.toBe(before.headers.etag)
  expect((await send('PATCH', '/user/1', { email: 'c@x' }, { 'if-match': `${before.headers.etag}` })).status).toBe(412)
  expect((await send(...restore('/user/1'))).body).toMatchObject({ status: 409, code: 'record-exists' })
  expect((await send(...restore('/user/9'))).body).toMatchObject({ status: 404, code: 'record-not-found' })
  expect((await send('POST', '/user', { email: 'd@x' })).body.id).toBe(2)
  const [entry] = (await get('/change?record=user/1')).body.results
  expect(entry).toMatchObject({ kind: 'CREATED', application: 'desk', after: JSON.stringify(before.body) })
})

it('does not support If-Match: a deleted record has no ETag', async () => {
  const { send } = await openService(definition)
  expect((await send(...restore('/user/1'), undefined, { 'if-match': '"1"' })).body).toMatchObject({
    code: 'invalid-header',
    detail: 'POST /user/{userId}/restoration does not support If-Match: a deleted record has no ETag.',
  })
})

it('restores owned records of every level and links, but not what was deleted before', async () => {
  const { get, send } = await openService(definition)
  await send('POST', '/user', { email: 'a@x' })
  await send('POST', '/user', { email: 'b@x' })
  const post = async (url: string, body: object) => (await send('POST', url, body)).body
  const notes: string[] = []
  for (const line of ['one', 'two', 'three', 'gone'])
    notes.push((await post('/user/1/note', { line, previous: notes.at(-1) ?? null })).key)
  await send('PATCH', `/user/1/note/${notes[0]}`, { previous: notes[2] })
  for (const [at, sign] of ['x', 'y', 'z'].entries()) await post(`/user/1/note/${notes[at]}/mark`, { sign })
  for (const name of ['r', 's', 't']) await post('/role', { name })
  for (const url of ['/user/1/role/1', '/user/1/role/2', '/user/1/role/3', '/user/2/role/1']) await send('PUT', url)
  await send('DELETE', `/user/1/note/${notes[3]}`)
  await send('DELETE', '/user/1/role/2')
  const lists = async () => {
    const urls = ['/user', '/user/1/note', `/user/1/note/${notes[1]}/mark`, '/user/1/role', '/user/2/role']
    return Promise.all(urls.map(async (url) => (await get(`${url}?pageSize=100`)).body.results))
  }
  // A record that refers to itself.
  await send('PATCH', `/user/1/note/${notes[1]}`, { previous: notes[1] })
  const before = await lists()
  expect((await send('DELETE', '/user/1')).status).toBe(200)
  await send('DELETE', '/role/3')
  seen.length = 0
  expect((await send(...restore('/user/1'))).status).toBe(201)
  const [users, restoredNotes, marks, roles, otherRoles] = await lists()
  const sorted = (list: { readonly key: string }[]) => list.toSorted((a, b) => a.key.localeCompare(b.key))
  expect([users, sorted(restoredNotes), marks, otherRoles]).toEqual([
    before[0],
    sorted(before[1]),
    before[2],
    before[4],
  ])
  expect(roles).toEqual([{ id: 1, name: 'r' }])
  await expect.poll(() => seen.toSorted()).toEqual(['create a@x', 'create x', 'create y', 'create z'])
  expect((await get('/change?linked=user/1&kind=CREATED')).body.pageInfo.numberOfRecords).toBe(7)
})

it('restores an owned record below its parent', async () => {
  const { get, send } = await openService(definition)
  for (const email of ['a@x', 'b@x']) await send('POST', '/user', { email })
  const { body } = await send('POST', '/user/1/note', { line: 'x' })
  await send('DELETE', `/user/1/note/${body.key}`)
  expect((await send(...restore(`/user/2/note/${body.key}`))).status).toBe(404)
  expect((await send(...restore(`/user/9/note/${body.key}`))).body.detail).toBe('There is no user 9.')
  const restored = await send(...restore(`/user/1/note/${body.key}`))
  expect([restored.status, restored.headers.location]).toEqual([201, `/user/1/note/${body.key}`])
  expect((await get(`/user/1/note/${body.key}`)).body).toEqual(body)
})

it('changes nothing if a unique value is taken, or a reference is gone', async () => {
  const { get, send } = await openService(definition)
  const { key } = (await send('POST', '/team', { name: 'T' })).body
  await send('POST', '/user', { email: 'a@x', team: key })
  await send('POST', '/user/1/note', { line: 'x' })
  await send('DELETE', '/user/1')
  await send('POST', '/user', { email: 'a@x' })
  expect((await send(...restore('/user/1'))).body).toMatchObject({
    code: 'value-taken',
    detail: 'user 1 cannot be restored: another user has the email "a@x".',
    hint: 'Change or delete the other record first.',
  })
  await send('DELETE', '/user/2')
  await send('DELETE', `/team/${key}`)
  expect((await send(...restore('/user/1'))).body).toMatchObject({
    code: 'reference-not-found',
    detail: `user 1 cannot be restored: it references team ${key}, which does not exist.`,
    hint: 'Restore the referenced record first.',
  })
  expect((await get('/user')).body.results).toEqual([])
  expect((await send(...restore(`/team/${key}`))).status).toBe(201)
  expect((await send(...restore('/user/1'))).status).toBe(201)
  expect((await get('/user/1/note')).body.pageInfo.numberOfRecords).toBe(1)
})

it('rejects conditions, parameters, and calls within a transaction', async () => {
  const faults: string[] = []
  const { send } = await openService(definition, { onFault: (_message, error) => faults.push(`${error}`) })
  expect((await send(...restore('/user/1'), undefined, { 'if-match': '*' })).body.code).toBe('invalid-header')
  expect((await send('POST', '/user/1/restoration?x=1')).body.code).toBe('unknown-parameter')
  expect((await send(...restore('/plain/1'))).body.code).toBe('path-not-found')
  expect((await send('POST', '/plain/restoring')).status).toBe(500)
  expect(faults).toEqual([expect.stringContaining('user.restore has its own transaction')])
})

it('names a value that the declaration no longer allows, and gives new fields their defaults', async () => {
  const database = await persistentDatabase()
  const versionOf = (kinds: readonly [string, ...string[]], more = {}) =>
    service({
      name: 'items',
      apis: [plainApi(resource(noun('item', { id: identity(), kind: choice(...kinds), ...more }, { history: true })))],
    })
  const first = await openService(versionOf(['A', 'B']), { database })
  for (const kind of ['A', 'B']) await first.send('POST', '/item', { kind })
  for (const id of [1, 2]) await first.send('DELETE', `/item/${id}`)
  const next = versionOf(['A', 'C'], { size: text().default('L') })
  await migrateDatabase(database, next, 'apply')
  const second = await openService(next, { database })
  expect((await second.send(...restore('/item/1'))).body).toEqual({ id: 1, kind: 'A', size: 'L' })
  const { body } = await second.send(...restore('/item/2'))
  expect([body.status, body.code]).toEqual([422, 'rule-broken'])
  expect(body.detail).toContain('item 2 cannot be restored: the value "B" of kind is no longer valid: it')
})

type Caller = ReturnType<typeof callerOf>

async function openClient(definition: Service) {
  const { address, remove } = await testDatabase()
  const client = await openCallerClient(definition, address)
  onTestFinished(async () => {
    await client.close()
    await remove()
  })
  return client
}

it('restores only what the caller could see', async () => {
  const member = noun('member', { id: identity(), login: text() }, { history: true })
  const item = noun('item', { id: identity(), tenant: tenant(), line: text() }, { history: true })
  const { send } = await openClient(
    service({
      name: 'company',
      apis: [plainApi(resource(member), resource(item))],
      visibility: [visible(member, ({ user }) => user === 'root' || { login: `${user}` })],
      tenant: { claim: 'tenant', shared: [member] },
    }),
  )
  const [root, ada, bob] = ['root', 'ada', 'bob'].map((name) => callerOf(name, { tenant: 'north' })) as [
    Caller,
    Caller,
    Caller,
  ]
  const south = callerOf('ada', { tenant: 'south' })
  const status = async (caller: Caller, method: string, url: string, body?: object) =>
    (await send(caller, { method, url, ...(body && { body }) })).status
  await status(root, 'POST', '/member', { login: 'ada' })
  await status(ada, 'POST', '/item', { line: 'x' })
  for (const url of ['/member/1', '/item/1']) expect(await status(root, 'DELETE', url)).toBe(200)
  expect(await status(bob, 'POST', '/member/1/restoration')).toBe(404)
  expect(await status(south, 'POST', '/item/1/restoration')).toBe(404)
  expect(await status(ada, 'POST', '/member/1/restoration')).toBe(201)
  expect(await status(ada, 'POST', '/item/1/restoration')).toBe(201)
})

it('does not reveal values that the caller may not see', async () => {
  const database = await persistentDatabase()
  const versionOf = (maxLength: number) => {
    const doc = noun(
      'doc',
      {
        id: identity(),
        owner: text(),
        title: text({ maxLength }),
        pin: text().unique().nullable().visibleTo('pin:read'),
        next: reference(() => doc).nullable(),
      },
      { history: true },
    )
    return service({
      name: 'docs',
      apis: [plainApi(resource(doc))],
      visibility: [visible(doc, ({ user }) => user === 'root' || { owner: `${user}` })],
    })
  }
  const root = { ...callerOf('root'), scopes: ['*:read', '*:write'] }
  const [ada, bob] = ['ada', 'bob'].map((name) => ({ ...callerOf(name), scopes: ['doc:read', 'doc:write'] }))
  const first = await openCallerClient(versionOf(50), database)
  const bodies = [
    { title: 'a long secret', pin: '1' },
    { title: 'b', next: 1 },
    { title: 'c' },
    { title: 'd', pin: '4' },
  ]
  for (const body of bodies) await first.send(root, { method: 'POST', url: '/doc', body: { owner: 'ada', ...body } })
  await first.send(root, { method: 'PATCH', url: '/doc/3', body: { next: 3 } })
  for (const id of [2, 1, 3, 4]) await first.send(root, { method: 'DELETE', url: `/doc/${id}` })
  await first.send(root, { method: 'POST', url: '/doc', body: { owner: 'x', title: 'e', pin: '4' } })
  await first.close()
  await migrateDatabase(database, versionOf(5), 'apply')
  const { send, close } = await openCallerClient(versionOf(5), database)
  onTestFinished(close)
  const restored = async (caller: typeof ada, id: number) =>
    (await send(caller as Caller, { method: 'POST', url: `/doc/${id}/restoration` })).body
  for (const id of [1, 2, 3, 4]) expect((await restored(bob, id)).detail).toBe(`There is no doc ${id}.`)
  expect((await restored(ada, 4)).detail).toBe('doc 4 cannot be restored: another doc has the value of a unique field.')
  expect((await restored(ada, 1)).detail).toContain('the value "a long secret" of title')
  expect((await restored(ada, 3)).next).toBe(3)
})

it('is an operation of nouns with history that can be written', () => {
  const restored = operations(directory).filter(({ kind }) => kind === 'restore')
  expect(restored.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /team/{teamKey}/restoration',
    'POST /user/{userId}/restoration',
    'POST /user/{userId}/note/{noteKey}/restoration',
    'POST /user/{userId}/note/{noteKey}/mark/{markId}/restoration',
  ])
  expect(restored.map(scopeOf)[1]).toBe('user:write user:read')
  expect(JSON.stringify(openapi(directory))).toContain('"operationId":"user.note.restore"')
  expect(() => operations(plainApi(resource(plain, { offers: ['restore'] })))).toThrow('"plain" has no history')
})
