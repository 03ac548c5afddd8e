// The history shows a caller only entries of visible records, and no fields that the caller may not see.
import { change, decimal, equal, identity, link, noun, reference, resource, tenant, text } from '@nomen/core'
import { type Service, service, visible } from '@nomen/server'
import { migrateDatabase } from '@nomen/server/admin'
import { testDatabase } from '@nomen/testing/test-database'
import { expect, it, onTestFinished } from 'vitest'
import { persistentDatabase } from './persistent-database.ts'
import { plainApi } from './test-service.ts'
import { callerOf, openCallerClient } from './visible/caller-client.ts'

const team = noun('team', { key: identity('guid'), name: text() }, { history: true })
const member = noun(
  'member',
  {
    id: identity(),
    login: text(),
    team: reference(() => team).nullable(),
    salary: decimal({ scale: 2 }).default('0.00').visibleTo('salary:read'),
  },
  { history: true },
)
const skill = noun('skill', { id: identity(), owner: text() })
const knows = link(member, skill)

const company = service({
  name: 'company',
  apis: [
    plainApi(
      resource(team),
      resource(member, { children: [resource(change), resource(skill, { via: knows })] }),
      resource(skill),
      resource(change),
    ),
  ],
  visibility: [
    visible(member, ({ user }) => user === 'auditor' || { login: `${user}` }),
    visible(skill, ({ user }) => user === 'auditor' || { owner: `${user}` }),
  ],
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

const isOfRecord = ({ kind }: Readonly<Record<string, unknown>>) => kind !== 'STARTED'

const auditor = { ...callerOf('auditor'), scopes: ['*:read', '*:write'] }
const [ada, bob] = ['ada', 'bob'].map((name) => ({ ...callerOf(name), scopes: ['*:read', '*:write'] })) as [
  typeof auditor,
  typeof auditor,
]

it('has the entries of records and links that the caller can see', async () => {
  const { send } = await openClient(company)
  const post = async (url: string, body: object) => (await send(auditor, { method: 'POST', url, body })).body
  const { key } = await post('/team', { name: 'T' })
  for (const login of ['ada', 'bob']) await post('/member', { login, team: key, salary: '1.00' })
  for (const owner of ['ada', 'bob']) await post('/skill', { owner })
  for (const url of ['/member/1/skill/1', '/member/1/skill/2', '/member/2/skill/2'])
    await send(auditor, { method: 'PUT', url })
  await send(auditor, { method: 'PATCH', url: '/member/2', body: { login: 'bob', salary: '2.00' } })
  const list = async (caller: typeof auditor, url: string) => {
    const { status, body } = await send(caller, { method: 'GET', url: `${url}?pageSize=100` })
    if (status !== 200) return status
    expect(body.pageInfo.numberOfRecords).toBe(body.results.length)
    const entries: Record<string, string>[] = body.results
    return entries.filter(isOfRecord).map(({ kind, record, linked }) => `${kind} ${record} ${linked ?? ''}`.trim())
  }
  expect(await list(ada, '/change')).toEqual(['LINKED member/1 skill/1', 'CREATED member/1', `CREATED team/${key}`])
  expect(await list(bob, '/change')).toEqual([
    'CHANGED member/2',
    'LINKED member/2 skill/2',
    'CREATED member/2',
    `CREATED team/${key}`,
  ])
  expect(await list(ada, '/member/1/change')).toEqual(['LINKED member/1 skill/1', 'CREATED member/1'])
  expect(await list(ada, '/member/2/change')).toBe(404)
  expect(await list(auditor, '/change')).toHaveLength(7)
  // A deleted record is visible to those who could see it when it was deleted.
  await send(auditor, { method: 'DELETE', url: '/member/1' })
  expect(await list(ada, '/change')).toEqual([
    'DELETED member/1',
    'UNLINKED member/1 skill/1',
    'LINKED member/1 skill/1',
    'CREATED member/1',
    `CREATED team/${key}`,
  ])
  expect(`${await list(bob, '/change')}`).not.toContain('member/1')
  expect(await list(auditor, '/change')).toHaveLength(10)
  const [hidden] = (await send(auditor, { method: 'GET', url: '/change?record=member/2' })).body.results
  expect((await send(ada, { method: 'GET', url: `/change/${hidden.id}` })).status).toBe(404)
})

it('can be restricted further by its own visibility', async () => {
  const { send } = await openClient(
    service({
      name: 'company',
      apis: [plainApi(resource(team), resource(change))],
      visibility: [visible(change, ({ user }) => user === 'auditor' || { user: `${user}` })],
    }),
  )
  for (const caller of [ada, bob, auditor]) await send(caller, { method: 'POST', url: '/team', body: { name: 'T' } })
  const users = async (caller: typeof ada) =>
    (await send(caller, { method: 'GET', url: '/change?kind=CREATED' })).body.results.map(
      (entry: { user: string }) => entry.user,
    )
  expect(await users(ada)).toEqual(['ada'])
  expect(await users(auditor)).toEqual(['auditor', 'bob', 'ada'])
})

it('does not have fields that require another scope', async () => {
  const { send } = await openClient(company)
  const body = { login: 'ada', salary: '5.00' }
  await send(auditor, { method: 'POST', url: '/member', body })
  await send(auditor, { method: 'PATCH', url: '/member/1', body: { salary: '6.00' } })
  await send(auditor, { method: 'PATCH', url: '/member/1', body: { salary: '7.00', login: 'ada' } })
  const [created] = (await send(auditor, { method: 'GET', url: '/change?kind=CREATED' })).body.results
  const reader = { ...ada, scopes: ['change:read', 'member:read'] }
  for (const url of ['/change', '/member/1/change', `/change/${created.id}`]) {
    const { status, text } = await send(reader, { method: 'GET', url })
    expect([status, url]).toEqual([200, url])
    expect(text).not.toContain('salary')
  }
  expect((await send(ada, { method: 'GET', url: '/change' })).text).toContain('salary')
  const changesOf = async (caller: typeof ada, query: string) =>
    (await send(caller, { method: 'GET', url: `/change?${query}` })).body.pageInfo.numberOfRecords
  expect(await changesOf(ada, 'changedField=salary')).toBe(2)
  expect(await changesOf(reader, 'changedField=salary')).toBe(0)
  expect(await changesOf(reader, 'changedField=salary&changedField=team')).toBe(0)
  expect((await send(ada, { method: 'GET', url: '/change?after=x' })).body.code).toBe('unknown-parameter')
})

it('has only the entries of nouns that the scopes of the caller allow to read', async () => {
  const { send } = await openClient(company)
  await send(auditor, { method: 'POST', url: '/member', body: { login: 'ada' } })
  await send(auditor, { method: 'POST', url: '/team', body: { name: 'T' } })
  await send(auditor, { method: 'POST', url: '/skill', body: { owner: 'ada' } })
  await send(auditor, { method: 'PUT', url: '/member/1/skill/1' })
  const nounsFor = async (...scopes: readonly string[]) => {
    const { body } = await send({ ...ada, scopes }, { method: 'GET', url: '/change' })
    return [...new Set(body.results.map((entry: { noun: string }) => entry.noun))].sort()
  }
  expect(await nounsFor('change:read', 'member:read')).toEqual(['member'])
  expect(await nounsFor('change:read', 'member:read', 'skill:read')).toEqual([knows.name, 'member'].sort())
  expect(await nounsFor('change:read', 'team:write')).toEqual([])
  expect(await nounsFor('*:read')).toEqual([knows.name, 'member', 'team'].sort())

  const [created] = (await send(auditor, { method: 'GET', url: '/change?record=member/1&kind=CREATED' })).body.results
  const statusFor = async (url: string, scopes: readonly string[]) =>
    (await send({ ...ada, scopes }, { method: 'GET', url })).status
  expect(await statusFor(`/change/${created.id}`, ['change:read', 'team:read'])).toBe(404)
  expect(await statusFor(`/change/${created.id}`, ['change:read', 'member:read'])).toBe(200)
})

it('does not have fields that no operation shows', async () => {
  const account = noun(
    'account',
    { id: identity(), login: text(), hash: text().default('secret-hash') },
    { history: true },
  )
  const { send } = await openClient(
    service({ name: 'accounts', apis: [plainApi(resource(account, { complete: ['id', 'login'] }), resource(change))] }),
  )
  await send(auditor, { method: 'POST', url: '/account', body: { login: 'ada' } })
  const { body, text: shown } = await send(auditor, { method: 'GET', url: '/change' })
  expect(body.results[0].after).toBe('{"id":1,"login":"ada"}')
  expect(shown).not.toContain('hash')
})

it('restricts entries of nouns whose history has ended, and hides those of removed nouns', async () => {
  const database = await persistentDatabase()
  const versionOf = (hasHistory: boolean) => {
    const fields = { id: identity(), owner: text() }
    const note = hasHistory ? noun('note', fields, { history: true }) : noun('note', fields)
    const other = noun('other', { id: identity(), name: text() }, { history: true })
    return service({
      name: 'notes',
      apis: [plainApi(resource(note), ...(hasHistory ? [resource(other)] : []), resource(change))],
      visibility: [visible(note, ({ user }) => user === 'auditor' || { owner: `${user}` })],
    })
  }
  const first = await openCallerClient(versionOf(true), database)
  for (const owner of ['ada', 'bob']) await first.send(auditor, { method: 'POST', url: '/note', body: { owner } })
  await first.send(auditor, { method: 'POST', url: '/other', body: { name: 'x' } })
  await first.send(auditor, { method: 'DELETE', url: '/other/1' })
  await first.close()
  await migrateDatabase(database, versionOf(false), 'apply')
  const second = await openCallerClient(versionOf(false), database)
  onTestFinished(() => second.close())
  const entries = async (caller: typeof ada) =>
    (await second.send(caller, { method: 'GET', url: '/change' })).body.results
      .filter(isOfRecord)
      .map(({ record, after }: Record<string, string>) => `${record} ${after}`)
  expect(await entries(ada)).toEqual(['note/1 {"id":1,"owner":"ada"}'])
  expect(await entries(auditor)).toHaveLength(4)
})

it('cannot be declared so that it shows hidden fields', () => {
  for (const options of [
    { rename: { previous: 'before' } },
    { search: ['record'] },
    { filters: { old: equal('before') } },
  ])
    expect(() => resource(change, options as object)).toThrow('resource "change"')
})

it('belongs to the tenant of its records', async () => {
  const note = noun('note', { id: identity(), tenant: tenant(), line: text() }, { history: true })
  const notes = service({
    name: 'notes',
    apis: [plainApi(resource(note), resource(change))],
    tenant: { claim: 'tenant' },
  })
  const { send } = await openClient(notes)
  const [north, south] = ['north', 'south'].map((name) => callerOf('ada', { tenant: name }))
  for (const caller of [north, south, north])
    await send(caller as typeof auditor, { method: 'POST', url: '/note', body: { line: 'x' } })
  const records = async (caller: typeof north) =>
    (await send(caller as typeof auditor, { method: 'GET', url: '/change' })).body.results
      .filter(isOfRecord)
      .map(({ record }: { record: string }) => record)
  expect(await records(north)).toEqual(['note/3', 'note/1'])
  expect(await records(south)).toEqual(['note/2'])
  await send(north as typeof auditor, { method: 'DELETE', url: '/note/1' })
  expect(await records(north)).toEqual(['note/1', 'note/3', 'note/1'])
  expect(await records(south)).toEqual(['note/2'])
})
