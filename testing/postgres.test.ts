import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startPostgres, startStandby } from './postgres.ts'
import { temporaryPostgres } from './shared-postgres.ts'

describe('the PostgreSQL server for tests', () => {
  it('is shared by all tests, each with an empty database of its own', async () => {
    const { url, remove } = await temporaryPostgres()
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query(`select count(*)::int as tables from pg_tables where schemaname = 'public'`)
    expect(rows).toEqual([{ tables: 0 }])
    await client.end()
    await remove()
  })

  it('has a standby that follows it and takes over', async () => {
    const primary = await startPostgres()
    onTestFinished(() => primary.remove())
    const standby = await startStandby(primary, 'second')
    onTestFinished(() => standby.remove())
    const [here, there] = [new pg.Client(primary.url()), new pg.Client(standby.url())]
    here.on('error', () => {})
    await here.connect()
    await there.connect()
    await here.query('create table t (n int); insert into t values (1)')
    await expect
      .poll(async () => (await there.query(`select to_regclass('t') is not null as here`)).rows[0].here, {
        timeout: 10_000,
      })
      .toBe(true)
    await primary.kill()
    expect((await there.query('select pg_promote()')).rows).toEqual([{ pg_promote: true }])
    await there.query('insert into t values (2)')
    expect((await there.query('select n from t order by n')).rows).toEqual([{ n: 1 }, { n: 2 }])
    await there.end()
  })
})
