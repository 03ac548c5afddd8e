// Responses that are stored under Idempotency-Keys: removed after they expire, whether or not another key comes.
import { DatabaseSync } from 'node:sqlite'
import { identity, noun, resource, text } from '@nomen/core'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryPath } from './temporary-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])
const key = { 'idempotency-key': 'k' }

interface Database {
  readonly address: string
  /** Runs SQL beside the service, and gives the first value. */
  run(statement: string): Promise<unknown>
}

const databases: readonly (readonly [string, () => Promise<Database>])[] = [
  [
    'SQLite',
    async () => {
      const path = temporaryPath()
      const run = async (statement: string) => {
        const database = new DatabaseSync(path, { timeout: 5000 })
        const row = database.prepare(statement).get() ?? {}
        database.close()
        return Object.values(row)[0]
      }
      return { address: `sqlite:${path}`, run }
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const { url, remove } = await temporaryPostgres()
      onTestFinished(remove)
      const run = async (statement: string) => {
        const client = new pg.Client(url)
        await client.connect()
        const { rows } = await client.query(statement)
        await client.end()
        return Object.values(rows[0] ?? {})[0]
      }
      return { address: url, run }
    },
  ],
]

const past = new Date(Date.now() - 25 * 3_600_000).toISOString()
const number = 'select count(*) from "_idempotency"'

describe.each(databases)('stored responses on %s', (_, prepare) => {
  it('are removed after they expire, and others are not', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const database = await prepare()
    const app = await openService(notes, { database: database.address })
    const created = await app.send('POST', '/note', { title: 'a' }, key)
    const copies = Array.from({ length: 2500 }, (__, count) => `('${count}', 'x', '1', 1, '{}', '${past}')`).join()
    const columns = '"key", "fingerprint", "identity", "version", "body", "created"'
    await database.run(`insert into "_idempotency" (${columns}) values ${copies}`)
    expect(Number(await database.run(number))).toBe(2501)
    vi.advanceTimersByTime(60_000)
    await expect.poll(async () => Number(await database.run(number))).toBe(1)
    const again = await app.send('POST', '/note', { title: 'a' }, key)
    expect([again.headers['idempotency-replayed'], again.body.id]).toEqual(['true', created.body.id])
  })

  it('are replaced under the same key after they expire', async () => {
    const database = await prepare()
    const app = await openService(notes, { database: database.address })
    const created = await app.send('POST', '/note', { title: 'a' }, key)
    await database.run(`update "_idempotency" set "created" = '${past}'`)
    const other = await app.send('POST', '/note', { title: 'b' }, key)
    expect([other.status, other.body.title]).toEqual([201, 'b'])
    expect(other.body.id).not.toBe(created.body.id)
    expect(Number(await database.run(number))).toBe(1)
  })
})
