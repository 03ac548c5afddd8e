// Retries: repeated POST requests with the same key create one record.
import { expect, it } from 'vitest'
import { newUser, type User } from './record.ts'
import { expectProblem, openEach } from './service.ts'

const { get, post, patch, put, del, listAll, send } = openEach()
const key = { 'idempotency-key': 'a-key-7' }

it('decision retry: a retry with the same key and body gets the first response, and creates no second record', async () => {
  const first = await post<User>('/user', newUser('once'), key)
  expect([first.status, first.headers['idempotency-replayed']]).toEqual([201, undefined])
  for (let time = 0; time < 3; time++) {
    const again = await post<User>('/user', newUser('once'), key)
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect([again.headers.location, again.headers.etag]).toEqual([first.headers.location, first.headers.etag])
  }
  expect((await listAll('/user')).length).toBe(21)
})

it('decision retry: a retry gets the first response, even if the record was changed or deleted', async () => {
  const first = await post<User>('/user', newUser('once'), key)
  await patch(`/user/${first.body.id}`, { phone: '7' })
  expect((await post('/user', newUser('once'), key)).body).toEqual(first.body)
  await del(`/user/${first.body.id}`)
  const again = await post('/user', newUser('once'), key)
  expect([again.status, again.body]).toEqual([201, first.body])
  expect((await listAll('/user')).length).toBe(20)
})

it('decision retry: the same key with another body is 422, and creates no record', async () => {
  await post('/user', newUser('once'), key)
  expectProblem(await post('/user', newUser('twice'), key), 'idempotency-key-reused', 'Idempotency-Key')
  expect((await listAll('/user')).length).toBe(21)
})

it('decision retry: the same key can be used once per path', async () => {
  expect((await post('/user', newUser('once'), key)).status).toBe(201)
  const { status, headers } = await post('/department', { name: 'Archive' }, key)
  expect([status, headers['idempotency-replayed']]).toEqual([201, undefined])
  expect((await post('/user/3/preference', { type: 'x', enabled: true }, key)).status).toBe(201)
  expect((await post('/user/8/preference', { type: 'x', enabled: true }, key)).status).toBe(201)
})

it('decision retry: concurrent requests with one key create one record', async () => {
  const responses = await Promise.all(Array.from({ length: 8 }, () => post<User>('/user', newUser('once'), key)))
  expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1)
  expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(201))
  expect((await listAll('/user')).length).toBe(21)
})

it('decision retry: a rejected POST does not use its key', async () => {
  expectProblem(await post('/user', { ...newUser('once'), department: 999 }, key), 'reference-not-found')
  expectProblem(await post('/user', { ...newUser('once'), department: 'x' }, key), 'invalid-body')
  expect((await post('/user', newUser('once'), key)).status).toBe(201)
})

it('decision retry: the same body without a key creates another record', async () => {
  expect((await post('/department', { name: 'Archive' })).status).toBe(201)
  expect((await post('/department', { name: 'Archive' })).status).toBe(201)
  expectProblem(await post('/user', { ...newUser(), email: (await get<User>('/user/1')).body.email }), 'value-taken')
})

it.each(['', 'k'.repeat(256), 'with space', 'tab\tinside'])(
  'decision retry: a key is 1 to 255 visible ASCII characters: "%s"',
  async (value) => {
    expectProblem(
      await post('/user', newUser('once'), { 'idempotency-key': value }),
      'invalid-header',
      'Idempotency-Key',
    )
    expect((await listAll('/user')).length).toBe(20)
  },
)

it('decision retry: a key of 255 characters is accepted', async () => {
  const longest = { 'idempotency-key': `${'k'.repeat(254)}~` }
  expect((await post('/user', newUser('once'), longest)).status).toBe(201)
  expect((await post('/user', newUser('once'), longest)).headers['idempotency-replayed']).toBe('true')
})

it('decision retry: PUT, PATCH and DELETE ignore a key', async () => {
  expect((await patch('/user/1', { phone: '1' }, key)).status).toBe(200)
  expect((await patch<User>('/user/1', { phone: '2' }, key)).body.phone).toBe('2')
  expect((await put('/department/1', { name: 'x', retired: false }, key)).status).toBe(200)
  expect((await send('DELETE', '/department/13', undefined, key)).status).toBe(200)
})
