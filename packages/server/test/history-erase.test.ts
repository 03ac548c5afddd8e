// POST /user/{userId}/erasure: deletes the history of a record, and leaves an entry that says so.
import { setTimeout as pause } from 'node:timers/promises'
import { change, identity, link, noun, operations, reference, resource, scopeOf, text } from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import { type Service, service, visible } from '@nomen/server'
import { isOnPostgres, testDatabase } from '@nomen/testing/test-database'
import { expect, it, onTestFinished } from 'vitest'
import { execute, persistentDatabase } from './persistent-database.ts'
import { openService, plainApi, type TestService } from './test-service.ts'
import { callerOf, openCallerClient } from './visible/caller-client.ts'

const user = noun('user', { id: identity(), name: text() }, { history: { erasable: true } })
const note = noun('note', { id: identity(), user: reference(() => user), line: text() }, { history: true })
const role = noun('role', { id: identity(), name: text() }, { history: { erasable: true } })
const directory = plainApi(
  resource(user, { children: [resource(note), resource(role, { via: link(user, role) })] }),
  resource(role),
  resource(change),
)
const definition = service({ name: 'directory', apis: [directory] })

const entries = async ({ get }: TestService) => {
  const { results } = (await get('/change?sort=id&pageSize=100')).body
  return results
    .filter(({ kind }: Record<string, string>) => kind !== 'STARTED')
    .map(({ kind, record, linked }: Record<string, string>) => [kind, record, linked ?? ''].join(' ').trim())
}

async function fill({ send }: TestService) {
  for (const name of ['Ada', 'Eve']) await send('POST', '/user', { name })
  await send('POST', '/role', { name: 'R' })
  for (const id of [1, 2]) {
    await send('POST', `/user/${id}/note`, { line: 'x' })
    await send('PUT', `/user/${id}/role/1`)
  }
}

it('erases the entries of the record, its links and the records that it owns, and nothing else', async () => {
  const app = await openService(definition)
  await fill(app)
  await pause(2)
  const before = new Date().toISOString()
  await pause(2)
  await app.send('PATCH', '/user/1', { name: 'Ida' })
  const erased = await app.send('POST', '/user/1/erasure', undefined, { 'user-agent': 'privacy/1' })
  expect([erased.status, erased.body]).toEqual([204, undefined])
  expect(await entries(app)).toEqual([
    'CREATED user/2',
    'CREATED role/1',
    'CREATED note/2 user/2',
    'LINKED user/2 role/1',
    'ERASED user/1',
    'ERASED note/1',
  ])
  const [tombstone] = (await app.get('/change?record=user/1')).body.results
  expect(tombstone).toMatchObject({ application: 'privacy', before: null, after: null })
  expect((await app.get('/user/1')).body.name).toBe('Ida')
  const past = (await app.get(`/user/1?at=${before}`)).body
  expect([past.code, past.detail]).toEqual([
    'history-too-short',
    expect.stringContaining('The history of user 1 begins'),
  ])
  expect((await app.get(`/user/2?at=${before}`)).body.name).toBe('Eve')
  await app.send('PATCH', '/user/1', { name: 'Ada' })
  expect((await entries(app)).at(-1)).toBe('CHANGED user/1')
})

it('erases the history of a deleted record, which then cannot be restored', async () => {
  const app = await openService(definition)
  await fill(app)
  await app.send('DELETE', '/user/1')
  expect((await app.send('POST', '/user/1/erasure')).status).toBe(204)
  expect((await entries(app)).filter((entry: string) => /(user|note)\/1/.test(entry))).toEqual([
    'ERASED user/1',
    'ERASED note/1',
  ])
  expect((await app.send('POST', '/user/1/restoration')).status).toBe(404)
  for (const url of ['/user/1/erasure', '/user/9/erasure']) expect((await app.send('POST', url)).status).toBe(404)
  expect((await app.send('POST', '/role/1/erasure')).status).toBe(204)
  expect(await entries(app)).toContain('CREATED user/2')
})

it('erases and restores records with large entries', async () => {
  const { send, get } = await openService(definition)
  await send('POST', '/user', { name: 'Ada' })
  for (let at = 0; at < 130; at++) await send('PATCH', '/user/1', { name: `${at} ${'x'.repeat(40_000)}` })
  for (let at = 0; at < 220; at++) await send('POST', '/user/1/note', { line: 'y'.repeat(40_000) })
  await send('DELETE', '/user/1')
  expect((await send('POST', '/user/1/restoration')).status).toBe(201)
  expect((await get('/user/1/note')).body.pageInfo.numberOfRecords).toBe(220)
  expect((await send('POST', '/user/1/erasure')).status).toBe(204)
})

it('erases very many entries in one transaction, with those of many owned records', async () => {
  const database = await persistentDatabase()
  const app = await openService(definition, { database })
  await fill(app)
  const [numberOfEntries, numberOfNotes] = [isOnPostgres ? 20_500 : 1500, 1100]
  const numbers = (from: number, to: number) =>
    `with recursive "numbers" ("number") as (select ${from} union all select "number" + 1 from "numbers" where "number" < ${to}) `
  const columns = '"time", "noun", "record", "linked", "kind"'
  const add = (to: number, values: string) =>
    execute(
      database,
      `insert into "change" (${columns}) ${numbers(1, to)} select '2026-11-01T00:00:00.000Z', ${values} from "numbers"`,
    )
  // One note has more entries than one step erases, and the user had more notes than one step reads.
  await add(numberOfEntries, `'note', 'note/1', 'user/1', 'CHANGED'`)
  await add(numberOfNotes, `'note', 'note/' || ("number" + 100), 'user/1', 'DELETED'`)
  // A record that belonged to a note, of a noun that was dropped since.
  await add(1, `'dropped line', 'dropped line/5', 'note/1200', 'DELETED'`)
  await add(1, `'note', 'note/2', 'user/2', 'CHANGED'`)
  const total = async (query: string) => (await app.get(`/change?${query}`)).body.pageInfo.numberOfRecords
  const seen = new Set<number>()
  let isErased = false
  const erasure = app.send('POST', '/user/1/erasure').finally(() => {
    isErased = true
  })
  while (!isErased) seen.add(await total('record=note/1'))
  expect((await erasure).status).toBe(204)
  // No reader sees a part of an erasure.
  expect([...seen].filter((number) => number !== 1 && number !== numberOfEntries + 1)).toEqual([])
  expect(await total('kind=ERASED')).toBe(numberOfNotes + 3)
  expect(await total('kind=ERASED&record=note/1&record=user/1&record=dropped line/5')).toBe(3)
  const others = (await entries(app)).filter((entry: string) => !entry.startsWith('ERASED'))
  expect(others).toEqual([
    'CREATED user/2',
    'CREATED role/1',
    'CREATED note/2 user/2',
    'LINKED user/2 role/1',
    'CHANGED note/2 user/2',
  ])
})

it('erases only what the caller could see', async () => {
  const member = noun('member', { id: identity(), login: text() }, { history: { erasable: true } })
  const { send } = await openClient(
    service({
      name: 'company',
      apis: [plainApi(resource(member), resource(change))],
      visibility: [visible(member, ({ user }) => user === 'root' || { login: `${user}` })],
    }),
  )
  const [root, ada, bob] = ['root', 'ada', 'bob'].map((name) => callerOf(name)) as [Caller, Caller, Caller]
  const post = async (caller: Caller, url: string, body?: object) =>
    (await send(caller, { method: 'POST', url, ...(body && { body }) })).status
  for (const login of ['ada', 'ada']) await post(root, '/member', { login })
  await send(root, { method: 'DELETE', url: '/member/2' })
  for (const url of ['/member/1/erasure', '/member/2/erasure']) {
    expect(await post(bob, url)).toBe(404)
    expect(await post(ada, url)).toBe(204)
  }
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

it('is an operation of erasable nouns, with its own scope', () => {
  const erasures = operations(directory).filter(({ kind }) => kind === 'erase')
  expect(erasures.map((operation) => [operation.path, scopeOf(operation)])).toEqual([
    ['/user/{userId}/erasure', 'user:erase'],
    ['/role/{roleId}/erasure', 'role:erase'],
  ])
  expect(JSON.stringify(openapi(directory))).toContain('"operationId":"user.erase"')
  const plain = noun('plain', { id: identity() }, { history: true })
  expect(() => operations(plainApi(resource(plain, { offers: ['erase'] })))).toThrow('is not erasable')
})
