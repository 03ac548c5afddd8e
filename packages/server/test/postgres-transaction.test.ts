import { api, identity, integer, noun, operation, resource } from '@nomen/core'
import { handle, service } from '@nomen/server'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../src/store/open/store.ts'
import { openService } from './test-service.ts'
import { transactionSuite } from './transaction-suite.ts'

transactionSuite('PostgreSQL', async () => {
  const { url, remove } = await temporaryPostgres()
  return { open: (model) => openStore(url, model), remove }
})

const counter = noun('counter', { id: identity(), count: integer() })
const raise = operation({ method: 'POST', on: 'record', response: { count: integer() } })
const counting = api('counting', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(counter, { operations: { raise } })],
})

/** A service with a counter at 1, which a handler reads and raises; `meanwhile` is done in between. */
async function openCounter(meanwhile: (url: string, raised: () => Promise<unknown>) => Promise<unknown>) {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  let calls = 0
  const raised = handle(counter, raise, ({ key, transaction }) =>
    transaction(
      async (call) => {
        const { count } = await call(counting).counter.read(key)
        if (++calls === 1) await meanwhile(url, () => app.send('POST', '/counter/1/raise'))
        return call(counting).counter.update(key, { count: count + 1 })
      },
      // No request is rejected because the machine is busy with other tests.
      { limit: 60_000 },
    ),
  )
  const app = await openService(service({ name: 'counting', apis: [counting], handlers: [raised] }), {
    database: url,
    onFault: () => undefined,
  })
  await app.send('POST', '/counter', { count: 1 })
  return { ...app, url, calls: () => calls }
}

describe('a transaction on PostgreSQL', () => {
  it('is retried from the beginning after a conflict with another transaction', async () => {
    const app = await openCounter(async (_url, raise) => raise())
    const { status, body } = await app.send('POST', '/counter/1/raise')
    expect([status, body, app.calls()]).toEqual([200, { count: 3 }, 3])
    expect((await app.get('/counter/1')).body.count).toBe(3)
    expect((await app.get('/metrics')).text).toContain('nomen_database_retries_total{reason="conflict"} 1')
  })

  it('is also retried after a conflict with a single write', async () => {
    const app = await openCounter(async () => app.send('PATCH', '/counter/1', { count: 10 }))
    expect((await app.send('POST', '/counter/1/raise')).body).toEqual({ count: 11 })
  })

  it('reads what other transactions have committed while it waited for its lock', async () => {
    const app = await openCounter(async () => {})
    expect((await app.send('POST', '/counter/1/raise')).body).toEqual({ count: 2 })
    const client = new pg.Client(app.url)
    await client.connect()
    onTestFinished(() => client.end())
    await client.query('begin; lock table "_transaction" in exclusive mode; update counter set count = 10')
    const raised = app.send('POST', '/counter/1/raise')
    const waiting = `select from pg_locks where relation = '"_transaction"'::regclass and not granted`
    await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1)
    await client.query('commit')
    // Its snapshot is newer than the lock, so that it is not retried.
    expect([(await raised).body, app.calls()]).toEqual([{ count: 11 }, 2])
  })

  it('is rolled back with 503 if its connection ends, and the next one succeeds', async () => {
    const app = await openCounter(async (url) => {
      const client = new pg.Client(url)
      await client.connect()
      const idle = `select pg_terminate_backend(pid, 60_000) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`
      expect((await client.query(idle)).rowCount).toBe(1)
      await client.end()
    })
    expect((await app.send('POST', '/counter/1/raise')).status).toBe(503)
    expect((await app.get('/counter/1')).body.count).toBe(1)
    expect((await app.send('POST', '/counter/1/raise')).body).toEqual({ count: 2 })
  })
})
