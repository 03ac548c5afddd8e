// The typed client with the real service: every kind of call, and errors.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { client, etagOf, ProblemError } from '@nomen/core/client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { access, directory } from '../src/index.ts'
import { newUser } from './record.ts'
import { type App, openDirectory } from './service.ts'

let app: App
let baseUrl = ''

beforeAll(async () => {
  app = await openDirectory(30)
  baseUrl = await app.listen({ port: 0 })
})
afterAll(() => app?.close())

const people = () => client<typeof directory>({ baseUrl })
const rights = () => client<typeof access>({ baseUrl, version: 1 })

async function problemOf(request: Promise<unknown>): Promise<ProblemError> {
  const error = await request.then(
    () => new Error('The request succeeded.'),
    (error) => error,
  )
  expect(error).toBeInstanceOf(ProblemError)
  return error
}

describe('reading', () => {
  it('lists records with filters, sort and pages', async () => {
    const { user } = people()
    const { pageInfo, results } = await user.list({ status: ['ACTIVE', 'SUSPENDED'], pageSize: 5, sort: '-id' })
    expect(pageInfo).toEqual({ pageSize: 5, pageNumber: 1, numberOfPages: 6, numberOfRecords: 30 })
    expect(results.map(({ id }) => id)).toEqual([30, 29, 28, 27, 26])
    expect((await user.list({ status: 'SUSPENDED', include: [1] })).results[0]?.id).toBe(1)
    expect((await user.list({ supervisor: null })).pageInfo.numberOfRecords).toBeGreaterThan(0)
    expect((await user.list({ createdOrUpdatedFrom: '2999-01-01T00:00:00Z' })).results).toEqual([])
    const [first] = results
    expect((await user.list({ search: first?.email ?? '' })).results).toEqual([first])
  })

  it('supports the variants of a list', async () => {
    const { user } = people()
    expect(Object.keys((await user.summary.list()).results[0] ?? {})).toEqual(['id', 'firstName', 'lastName'])
    const [detail] = (await user.detail.list({ pageSize: 1 })).results
    expect(detail?.department).toEqual(expect.any(String))
  })

  it('reads a record by its ID or by a unique property', async () => {
    const { user } = people()
    const record = await user.read(7)
    expect(await user.by.email(record.email)).toEqual(record)
    const { application } = rights()
    const first = await application.read(1)
    expect(await application.by.guid(first.guid)).toEqual(first)
  })

  it('iterates over all records of all pages', async () => {
    const { user } = people()
    const ids = await Array.fromAsync(user.records({ pageSize: 7 }), ({ id }) => id)
    expect(ids).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
    const pages = await Array.fromAsync(user.pages({ pageSize: 7, pageNumber: 4 }))
    expect(pages.map(({ results }) => results.length)).toEqual([7, 2])
  })

  it('reads sub-resources at any depth', async () => {
    const { application } = rights()
    const { results } = await application.of(1).user.list()
    const member = results[0]?.id ?? 0
    const [role] = (await application.of(1).user.of(member).role.list()).results
    expect(role?.applicationRef).toBe(1)
    expect(
      await application
        .of(1)
        .user.of(member)
        .role.read(role?.roleRef ?? 0),
    ).toMatchObject({ roleRef: role?.roleRef })
    expect((await application.of(1).user.of(member).action.list()).pageInfo.pageNumber).toBe(1)
    expect(Array.isArray(await people().user.of(1).preference.list())).toBe(true)
  })
})

describe('writing', () => {
  it('creates, replaces, updates and deletes', async () => {
    const { user } = people()
    const createdUser = await user.create({ ...newUser('client'), status: 'ACTIVE' })
    expect(await user.read(createdUser.id)).toEqual(createdUser)
    const { id, created: _created, lastUpdated: _updated, ...mutable } = createdUser
    expect(await user.replace(id, { ...mutable, phone: '1' })).toMatchObject({ id, phone: '1' })
    expect(await user.update(id, { status: 'SUSPENDED' })).toMatchObject({ phone: '1', status: 'SUSPENDED' })
    expect(await user.delete(id)).toMatchObject({ id, status: 'SUSPENDED' })
    expect(await problemOf(user.read(id))).toMatchObject({ status: 404, code: 'record-not-found' })
  })

  it('creates sub-resources', async () => {
    const { preference } = people().user.of(2)
    const created = await preference.create({ type: 'from-client', enabled: true })
    expect(await preference.read(created.id)).toEqual({
      id: created.id,
      type: 'from-client',
      enabled: true,
      value: null,
    })
    await preference.delete(created.id)
  })

  it('links and unlinks', async () => {
    const { role } = rights()
    const free = (await rights().action.list({ applicationRef: 1, pageSize: 100 })).results.map(
      ({ actionRef }) => actionRef,
    )
    const linked = (await role.of(1).action.list({ pageSize: 100 })).results.map(({ actionRef }) => actionRef)
    const actionRef = free.find((ref) => !linked.includes(ref)) ?? linked[0] ?? 0
    expect(await role.of(1).action.link(actionRef)).toMatchObject({ actionRef })
    expect(await role.of(1).action.unlink(actionRef)).toMatchObject({ actionRef })
    expect((await problemOf(role.of(1).action.unlink(actionRef))).status).toBe(404)
  })

  it('is rejected after another change', async () => {
    const { user } = people()
    const current = await user.read(3)
    const changed = await user.update(3, { phone: '7' }, { etag: etagOf(current) })
    expect(await problemOf(user.update(3, { phone: '8' }, { etag: etagOf(current) }))).toMatchObject({ status: 412 })
    expect(await user.update(3, { phone: '9' }, { etag: etagOf(changed) })).toMatchObject({ phone: '9' })
  })

  it('runs once per idempotency key', async () => {
    const { user } = people()
    const body = newUser('once')
    const first = await user.create(body, { idempotencyKey: 'client-key' })
    expect(await user.create(body, { idempotencyKey: 'client-key' })).toEqual(first)
  })
})

it('the access log distinguishes the calling applications', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const accessLog = join(folder, 'access.log')
  const logged = await openDirectory(20, { accessLog })
  onTestFinished(() => logged.close())
  const address = await logged.listen({ port: 0 })
  for (const userAgent of ['shop/1.2.0', 'billing/7'] as const) {
    await client<typeof directory>({ baseUrl: address, userAgent }).user.read(1)
  }
  await expect.poll(() => readFileSync(accessLog, 'utf8').match(/"[^"]*"$/gm)).toEqual(['"shop/1.2.0"', '"billing/7"'])
})

describe('an error', () => {
  it('is a problem with its code, hint and fields', async () => {
    const invalidBody = { email: 'nothing', status: 'GONE' } as unknown as { email: string }
    const error = await problemOf(people().user.update(1, invalidBody))
    expect([error.status, error.code]).toEqual([400, 'invalid-body'])
    expect(error.errors.map(({ pointer }) => pointer)).toEqual(['/email', '/status'])
    expect(error.requestId).toEqual(expect.any(String))
  })

  it('has the operation of its request', async () => {
    const error = await problemOf(people().user.read(999, { requestId: 'mine' }))
    expect(error.requestId).toBe('mine')
  })

  it('ends the call if the signal is aborted', async () => {
    const stop = AbortSignal.abort(new Error('enough'))
    await expect(people().user.read(1, { signal: stop })).rejects.toThrow('enough')
  })
})
