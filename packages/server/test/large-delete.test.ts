// A delete of very many records runs on a thread on SQLite, and is atomic like any other.
import { boolean, createdAt, identity, link, noun, reference, resource, text, updatedAt } from '@nomen/core'
import { after, service } from '@nomen/server'
import { beforeEach, expect, it } from 'vitest'
import { temporaryPath } from './temporary-database.ts'
import { openService, plainApi, type TestService } from './test-service.ts'

const person = noun('person', {
  id: identity(),
  name: text(),
  chief: reference(() => person)
    .nullable()
    .clearedOnDelete(),
  created: createdAt(),
  updated: updatedAt(),
})
const badge = noun('badge', { id: identity(), person: reference(() => person), isLost: boolean() })
const group = noun('group', { id: identity(), name: text() })
const invoice = noun('invoice', { id: identity(), payer: reference(() => person) })
const membership = link(person, group)

const api = plainApi(
  resource(person, { children: [resource(badge), resource(group, { via: membership })] }),
  resource(group),
  resource(invoice),
)

const number = 5000
const moment = '2026-01-01T00:00:00.000Z'
const people = Array.from({ length: number }, (_, at) => ({
  id: at + 1,
  name: `p${at + 1}`,
  chief: at === 0 ? null : 1,
  created: moment,
  updated: moment,
}))

let deleted: unknown[]
let app: TestService

beforeEach(async () => {
  deleted = []
  const staff = service({
    name: 'staff',
    apis: [api],
    after: [after(person, (change) => void (change.kind === 'delete' && deleted.push(change.record.name)))],
    sample: () => [
      { noun: 'person', rows: people },
      { noun: 'badge', rows: people.map(({ id }) => ({ id, person: id < 3000 ? 1 : 2, isLost: id % 2 === 0 })) },
      { noun: 'group', rows: [{ id: 1, name: 'all' }] },
      { noun: 'invoice', rows: [{ id: 1, payer: 2 }] },
      { link: ['person', 'group'], rows: people.map(({ id }) => [id, 1] as const) },
    ],
  })
  app = await openService(staff, { database: `sqlite:${temporaryPath()}/staff.db` })
})

const total = async (url: string) =>
  (await app.get(`${url}${url.includes('?') ? '&' : '?'}pageSize=1`)).body.pageInfo.numberOfRecords

it('deletes owned records, clears references to them, and removes links', async () => {
  const reading = app.get('/person/2')
  const { status, body } = await app.send('DELETE', '/person/1')
  expect([status, body.name, (await reading).status]).toEqual([200, 'p1', 200])
  expect((await app.get('/person/1')).status).toBe(404)
  expect(await total('/person')).toBe(number - 1)
  expect(await total('/person?chief=')).toBe(number - 1)
  const { body: other } = await app.get('/person/7')
  expect([other.chief, other.updated > moment]).toEqual([null, true])
  expect(await total('/person/2/badge')).toBe(2001)
  expect(await app.column('id', '/person/2/group')).toEqual([1])
  await expect.poll(() => deleted).toEqual(['p1'])
})

it('is rejected like any other, without changes', async () => {
  const referenced = await app.send('DELETE', '/person/2')
  expect([referenced.status, referenced.body.code]).toEqual([409, 'still-referenced'])
  const { headers } = await app.get('/person/1')
  expect((await app.send('PATCH', '/person/1', { name: 'new' })).status).toBe(200)
  const stale = await app.send('DELETE', '/person/1', undefined, { 'if-match': `${headers.etag}` })
  expect(stale.status).toBe(412)
  expect((await app.send('DELETE', '/person/2/group/1/')).status).toBe(404)
  expect([await total('/person'), await total('/person/2/badge'), await total('/person?chief=1')]).toEqual([
    number,
    2001,
    number - 1,
  ])
})

it('runs concurrently with other writes, in some order', async () => {
  const responses = await Promise.all([
    app.send('DELETE', '/person/1'),
    app.send('PATCH', '/person/9', { name: 'nine' }),
    app.send('POST', '/group', { name: 'b' }),
    app.send('DELETE', '/group/1'),
    app.send('DELETE', '/person/1'),
  ])
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 201, 200, 404])
  expect(await app.column('id', '/group')).toEqual([2])
  expect((await app.get('/person/9')).body).toMatchObject({ name: 'nine', chief: null })
})
