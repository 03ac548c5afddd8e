// Errors of background work, and of many requests at once: each is reported once.

import { DatabaseSync } from 'node:sqlite'
import { choice, identity, noun, resource, text } from '@nomen/core'
import { open } from '@nomen/server'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { faultReport } from '../src/observe/fault-report.ts'
import { QueryTimeout } from '../src/store/fault/error.ts'
import { temporaryPath } from './temporary-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text(), status: choice('A', 'B').default('A') })
const notes = serviceOf([plainApi(resource(note))])

/** A database that others reach too, and a function that runs SQL in it. */
const databases = {
  SQLite: async () => {
    const path = temporaryPath()
    const run = async (sql: string) => {
      const database = new DatabaseSync(path)
      database.exec(sql)
      database.close()
    }
    return { database: `sqlite:${path}`, run }
  },
  PostgreSQL: async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const run = async (sql: string) => {
      const client = new pg.Client(url)
      await client.connect()
      await client.query(sql)
      await client.end()
    }
    return { database: url, run }
  },
}

describe('expired Idempotency-Keys that cannot be removed', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval'] }))
  afterEach(() => void vi.useRealTimers())

  it.each(Object.entries(databases))('are reported once on %s', async (_, make) => {
    const { database, run } = await make()
    const faults: string[] = []
    await openService(notes, { database, usage: false, onFault: (message) => faults.push(message) })
    await run('drop table "_idempotency"')
    vi.advanceTimersByTime(60_000)
    await expect
      .poll(() => faults)
      .toEqual(['Expired Idempotency-Keys cannot be removed. Nomen tries again every minute.'])
    vi.advanceTimersByTime(600_000)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(faults).toHaveLength(1)
  })
})

describe('usage counts that cannot be saved', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval'] }))
  afterEach(() => void vi.useRealTimers())

  it.each(Object.entries(databases))(
    'are reported once on %s, and shown by a metric until they are saved',
    async (_, make) => {
      const { database, run } = await make()
      const faults: string[] = []
      const app = await openService(notes, { database, onFault: (message) => faults.push(message) })
      const isFailing = async () => /^nomen_usage_save_failing (.*)$/m.exec((await app.get('/metrics')).text)?.[1]
      expect(await isFailing()).toBe('0')
      await run('alter table "_usage" rename to "gone"')
      await app.get('/note')
      vi.advanceTimersByTime(5000)
      await expect.poll(isFailing).toBe('1')
      expect(faults).toEqual(['Usage counts cannot be saved. The service keeps counting and tries again.'])
      await run('alter table "gone" rename to "_usage"')
      vi.advanceTimersByTime(5000)
      await expect.poll(isFailing).toBe('0')
      expect((await app.get('/metrics')).text).toContain('nomen_usage_lost_requests_total 0')
      expect(faults).toHaveLength(1)
    },
  )
})

describe('a request that fails', () => {
  it('is logged with the beginning of a long target', async () => {
    const { database, run } = await databases.SQLite()
    const targets: string[] = []
    const onFault = (_: string, __: unknown, about?: { readonly target: string }) =>
      void targets.push(`${about?.target}`)
    const app = await openService(notes, { database, onFault })
    await run('alter table "note" rename to "gone"')
    await app.get(`/note?${'status=A&status=B&'.repeat(100)}pageSize=1`)
    expect(targets).toEqual([expect.stringMatching(/^\/note\?status=A.{280,300}…$/)])
  })

  it('because a list takes too long is reported once for many requests', () => {
    const reports: string[] = []
    const onFault = faultReport((message) => reports.push(message))
    for (let count = 0; count < 10; count++) onFault(new QueryTimeout('A list took longer than 10000 ms.'))
    expect(reports).toEqual(['A request failed.'])
  })
})

it('counts requests over fetch while they are in progress', async () => {
  const { database } = await databases.SQLite()
  const app = await open(notes, { database, usage: false })
  onTestFinished(() => app.close())
  const value = async () => {
    const families = await app.metrics()
    return families.find(({ name }) => name === 'nomen_http_requests_under_way')?.samples[0]?.value
  }
  const body = new TransformStream<Uint8Array, Uint8Array>()
  const options = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: body.readable,
    duplex: 'half',
  }
  const response = app.fetch('http://notes/note', options as RequestInit)
  await expect.poll(value).toBe(1)
  const writer = body.writable.getWriter()
  await writer.write(new TextEncoder().encode('{"title":"a"}'))
  await writer.close()
  expect((await response).status).toBe(201)
  expect(await value()).toBe(0)
})
