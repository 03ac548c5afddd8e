import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrateConcurrently } from '../../../../test/migrate-concurrently.ts'

describe('processes that start at the same time on one server', () => {
  it('all succeed, and one of them migrates', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    expect(await migrateConcurrently(url)).toEqual([{ isFresh: true, steps: 3 }])
    const client = new pg.Client(url)
    await client.connect()
    onTestFinished(() => client.end())
    await client.query(`insert into "user" (name) select 'NÄME ' || number from generate_series(1, 50000) number`)
    expect(await migrateConcurrently(url, 'user.name')).toEqual([{ isFresh: false, steps: 2 }])
    const { rows } = await client.query(`select count(*)::int from "user" where name_folded = 'näme ' || id`)
    expect(rows).toEqual([{ count: 50_000 }])
  })
})
