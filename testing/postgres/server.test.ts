import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startPostgres, startStandby } from './server.ts'
import { temporaryPostgres } from './shared.ts'

describe('the PostgreSQL server for tests', () => {
  it('is shared by all tests, each with its own empty database', async () => {
    const { url, remove } = await temporaryPostgres()
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query(`select count(*)::int as tables from pg_tables where schemaname = 'public'`)
    expect(rows).toEqual([{ tables: 0 }])
    await client.end()
    await remove()
  })

  it('has a standby that can be promoted', async () => {
    const primary = await startPostgres()
    onTestFinished(() => primary.remove())
    const standby = await startStandby(primary, 'second')
    onTestFinished(() => standby.remove())
    const [primaryClient, standbyClient] = [new pg.Client(primary.url()), new pg.Client(standby.url())]
    primaryClient.on('error', () => {})
    await primaryClient.connect()
    await standbyClient.connect()
    await primaryClient.query('create table t (n int); insert into t values (1)')
    await expect
      .poll(async () => (await standbyClient.query(`select to_regclass('t') is not null as here`)).rows[0].here, {
        timeout: 10_000,
      })
      .toBe(true)
    await primary.kill()
    expect((await standbyClient.query('select pg_promote()')).rows).toEqual([{ pg_promote: true }])
    await standbyClient.query('insert into t values (2)')
    expect((await standbyClient.query('select n from t order by n')).rows).toEqual([{ n: 1 }, { n: 2 }])
    await standbyClient.end()
  })
})
