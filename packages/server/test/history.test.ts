// The history of records: one entry for each change, written by the database in the same transaction.
import {
  boolean,
  change,
  choice,
  createdAt,
  date,
  decimal,
  email,
  identity,
  integer,
  link,
  noun,
  number,
  reference,
  resource,
  text,
  timestamp,
  updatedAt,
} from '@nomen/core'
import { service } from '@nomen/server'
import { expect, it } from 'vitest'
import { openService, plainApi } from './test-service.ts'

const team = noun('team', { id: identity(), name: text() }, { history: true })
const user = noun(
  'user',
  {
    id: identity(),
    name: text(),
    email: email().unique().column('e_mail'),
    active: boolean().default(true),
    salary: decimal({ precision: 12, scale: 2 }).nullable(),
    ratio: number().nullable(),
    born: date().nullable(),
    seen: timestamp().nullable(),
    status: choice('NEW', 'OLD').default('NEW'),
    team: reference(() => team)
      .nullable()
      .clearedOnDelete(),
    changed: updatedAt(),
    created: createdAt(),
  },
  { history: true, table: 'users' },
)
const note = noun('note', { key: identity('guid'), user: reference(() => user), line: text() }, { history: true })
const role = noun('role', { id: identity(), name: text(), rank: integer().default(0) })
const userRole = link(user, role)

const directory = plainApi(
  resource(user, { children: [resource(note), resource(role, { via: userRole }), resource(change)] }),
  resource(team, { children: [resource(change)] }),
  resource(role),
  resource(change),
)
const definition = service({ name: 'directory', apis: [directory] })

const open = () => openService(definition)

const isOfRecord = ({ kind }: Readonly<Record<string, unknown>>) => kind !== 'STARTED'

/** The entries of records in a list, from the oldest to the newest, without the parts that differ in every run. */
async function entriesOf(get: Awaited<ReturnType<typeof open>>['get'], url: string) {
  const { status, body } = await get(`${url}${url.includes('?') ? '&' : '?'}pageSize=1000`)
  expect([status, url]).toEqual([200, url])
  const entries: Record<string, string | null>[] = body.results.toReversed().filter(isOfRecord)
  return entries.map((entry) => ({
    kind: entry.kind,
    record: entry.record,
    ...(entry.linked !== null && { linked: entry.linked }),
    ...(entry.fields !== null && { fields: entry.fields?.split(',').sort() }),
    ...(entry.before !== null && { before: JSON.parse(`${entry.before}`) }),
    ...(entry.after !== null && { after: JSON.parse(`${entry.after}`) }),
  }))
}

it('has the whole record of a create and a delete, in the form of responses, and the changed fields of a change', async () => {
  const { get, send } = await open()
  const body = {
    name: 'Ada',
    email: 'Ada@x.org',
    salary: '12.50',
    ratio: 0.5,
    born: '1815-12-10',
    seen: '2026-01-02T03:04:05.678Z',
  }
  const created = (await send('POST', '/user', body)).body
  const patched = (await send('PATCH', '/user/1', { active: false, ratio: 2, salary: null, status: 'OLD' })).body
  expect((await send('PATCH', '/user/1', {})).status).toBe(200)
  const beforeDelete = await entriesOf(get, '/user/1/change')
  const deleted = (await send('DELETE', '/user/1')).body
  const entries = await entriesOf(get, '/change')
  expect(entries).toEqual([
    { kind: 'CREATED', record: 'user/1', after: created },
    {
      kind: 'CHANGED',
      record: 'user/1',
      fields: ['active', 'changed', 'ratio', 'salary', 'status'],
      before: { active: true, changed: created.changed, ratio: 0.5, salary: '12.50', status: 'NEW' },
      after: { active: false, changed: patched.changed, ratio: 2, salary: null, status: 'OLD' },
    },
    { kind: 'DELETED', record: 'user/1', before: deleted },
  ])
  expect(beforeDelete).toEqual(entries.slice(0, 2))
  expect((await get('/user/1/change')).status).toBe(404)
})

it('lists the changes of fields', async () => {
  const { get, send } = await open()
  await send('POST', '/team', { name: 'A' })
  await send('POST', '/user', { name: 'Ada', email: 'a@x.org' })
  for (const body of [{ email: 'b@x.org' }, { name: 'Eve' }, { name: 'Ida', team: 1 }])
    await send('PATCH', '/user/1', body)
  await send('PATCH', '/team/1', { name: 'B' })
  const records = async (url: string) =>
    (await get(url)).body.results.map(({ record, fields }: Record<string, string>) => `${record} ${fields}`)
  expect(await records('/user/1/change?changedField=email')).toEqual(['user/1 email,changed'])
  expect(await records('/user/1/change?changedField=team&changedField=email')).toEqual([
    'user/1 name,team,changed',
    'user/1 email,changed',
  ])
  expect(await records('/change?changedField=name')).toEqual([
    'team/1 name',
    'user/1 name,team,changed',
    'user/1 name,changed',
  ])
  expect(await records('/change?changedField=nam')).toEqual([])
  expect(await records('/change?changedField=name&noun=team')).toEqual(['team/1 name'])
  expect((await get(`/change?${'changedField=name&'.repeat(21)}`)).body.code).toBe('invalid-parameter')
  expect((await get('/change?changedField=%00')).body.code).toBe('invalid-parameter')
})

it('has links for both records, and changes by cascades', async () => {
  const { get, send } = await open()
  await send('POST', '/team', { name: 'A' })
  await send('POST', '/role', { name: 'R' })
  await send('POST', '/user', { name: 'Ada', email: 'a@x.org', team: 1 })
  const { key } = (await send('POST', '/user/1/note', { line: 'x' })).body
  await send('PUT', '/user/1/role/1')
  await send('PUT', '/user/1/role/1')
  expect((await entriesOf(get, '/user/1/change')).at(-1)).toEqual({
    kind: 'LINKED',
    record: 'user/1',
    linked: 'role/1',
  })
  await send('DELETE', '/user/1/role/1')
  await send('PUT', '/user/1/role/1')
  await send('DELETE', '/team/1')
  await send('DELETE', '/user/1')
  const entries = await entriesOf(get, '/change')
  expect(entries.map(({ kind, record, linked = '' }) => [kind, linked.startsWith('role') ? linked : record])).toEqual([
    ['CREATED', 'team/1'],
    ['CREATED', 'user/1'],
    ['CREATED', `note/${key}`],
    ['LINKED', 'role/1'],
    ['UNLINKED', 'role/1'],
    ['LINKED', 'role/1'],
    ['CHANGED', 'user/1'],
    ['DELETED', 'team/1'],
    ['UNLINKED', 'role/1'],
    ['DELETED', `note/${key}`],
    ['DELETED', 'user/1'],
  ])
  expect(entries[6]).toMatchObject({ before: { team: 1 }, after: { team: null } })
})

it('has nothing of a rejected or rolled back write, and is read-only', async () => {
  const { get, send } = await open()
  await send('POST', '/user', { name: 'Ada', email: 'a@x.org' })
  expect((await send('POST', '/user', { name: 'Bob', email: 'A@x.org' })).status).toBe(409)
  expect((await send('PATCH', '/user/1', { name: 'x' }, { 'if-match': '"no"' })).status).toBe(412)
  expect(await entriesOf(get, '/change')).toHaveLength(1)
  expect((await send('DELETE', '/change/1')).status).toBe(405)
  expect((await send('POST', '/change', {})).status).toBe(405)
})

it('has the request and the application of each change, newest first', async () => {
  const { get, send } = await open()
  const headers = (id: string) => ({ 'x-request-id': id, 'user-agent': 'billing/2.1' })
  const first = await send('POST', '/user', { name: 'Ada', email: 'a@x.org' }, headers('request-one'))
  const second = await send('PATCH', '/user/1', { name: 'Bob' }, headers('request-two'))
  const { body } = await get('/change')
  expect(
    body.results
      .filter(isOfRecord)
      .map(({ application, request, user }: Record<string, string>) => [application, request, user]),
  ).toEqual([
    ['billing', second.headers['x-request-id'], null],
    ['billing', first.headers['x-request-id'], null],
  ])
  const [newest, oldest] = body.results
  expect(newest.transaction).not.toBe(oldest.transaction)
  expect(Math.abs(Date.parse(newest.time) - Date.now())).toBeLessThan(3_600_000)
  expect((await get('/change?record=user/1&kind=CREATED')).body.results).toEqual([oldest])
  expect((await get(`/change/${oldest.id}`)).body).toEqual(oldest)
})
