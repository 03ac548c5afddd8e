import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readPostgresUrl } from '../../connection/postgres-url.ts'
import { retry } from '../../fault/retry.ts'
import { slot } from '../../sql/fragment.ts'
import { sql } from '../../sql/sql.ts'
import { compile } from '../statement.ts'
import { PostgresDatabase } from './database.ts'
import { PostgresHosts } from './hosts.ts'

const plus = compile<number>(sql`select ${slot<number>((input) => input)}::int + 1`)
const note = compile<number>(sql`insert into noted values (${slot<number>((input) => input)})`)
const waitForLock = compile<undefined>(sql`select pg_advisory_lock_shared(7), pg_advisory_unlock_shared(7)`)

/** A database with a lock that other statements wait for. */
async function lockedDatabase() {
  const { url, remove } = await temporaryPostgres()
  const holder = new pg.Client(url)
  await holder.connect()
  await holder.query('create table noted (number int); select pg_advisory_lock(7)')
  // On a busy machine, a new connection may take longer than a service normally waits.
  const database = new PostgresDatabase(new PostgresHosts(readPostgresUrl(url)))
  onTestFinished(async () => {
    await database.close()
    await holder.end()
    await remove()
  })
  const waiting = async () => {
    const { rows } = await holder.query(
      `select count(*)::int as number from pg_locks where locktype = 'advisory' and not granted`,
    )
    return rows[0].number
  }
  return { database, holder, waiting, letGo: () => holder.query('select pg_advisory_unlock(7)') }
}

function many<Result>(number: number, make: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: number }, (_, index) => make(index)))
}

describe('a database on PostgreSQL', () => {
  it('serves reads and writes while lists wait for connections', async () => {
    const { database, waiting, letGo } = await lockedDatabase()
    const lists = many(30, () => database.read(waitForLock, undefined))
    await expect.poll(waiting).toBe(10)
    expect(await many(50, (number) => database.readShort(plus, number))).toHaveLength(50)
    await many(50, (number) => database.withoutRetry.writeShort(note, number))
    expect([
      database.pool.oldestWaitMs('list') > 0,
      database.pool.oldestWaitMs('read'),
      database.pool.oldestWaitMs('write'),
    ]).toEqual([true, 0, 0])
    await letGo()
    expect(await lists).toHaveLength(30)
  })

  it('serves reads and lists while writes wait for connections', async () => {
    const { database, waiting, letGo } = await lockedDatabase()
    const writes = many(80, () => database.withoutRetry.writeShort(waitForLock, undefined))
    await expect.poll(waiting).toBe(10)
    expect(await many(50, (number) => database.readShort(plus, number))).toHaveLength(50)
    expect(await many(50, (number) => database.read(plus, number))).toHaveLength(50)
    expect([
      database.pool.oldestWaitMs('write') > 0,
      database.pool.oldestWaitMs('read'),
      database.pool.oldestWaitMs('list'),
    ]).toEqual([true, 0, 0])
    await letGo()
    expect(await writes).toHaveLength(80)
  })

  it('pipelines independent writes: a failed write does not roll back others', async () => {
    const { database, holder } = await lockedDatabase()
    await holder.query('create unique index on noted (number)')
    const outcomes = await Promise.allSettled(
      [...Array(200).keys()].map((n) => database.withoutRetry.writeShort(note, n >> 1)),
    )
    const done = outcomes.filter(({ status }) => status === 'fulfilled')
    const { rows } = await holder.query('select number from noted order by number')
    expect([done.length, rows.map(({ number }) => number)]).toEqual([100, [...Array(100).keys()]])
  })

  it('retries a statement whose preparation failed with the one before it', async () => {
    const { database, holder } = await lockedDatabase()
    const soon = compile<number>(sql`insert into soon values (${slot<number>((input) => input)}) returning number`)
    const early = await Promise.allSettled(
      [...Array(40).keys()].map((n) => retry(() => database.withoutRetry.writeShort(soon, n))),
    )
    const codes = early.map((result) => result.status === 'rejected' && (result.reason.cause as { code: string }).code)
    // All of them report the missing table, and none an unprepared statement.
    expect(new Set(codes)).toEqual(new Set(['42P01']))
    await holder.query('create table soon (number int)')
    expect(await many(40, (number) => retry(() => database.withoutRetry.writeShort(soon, number)))).toHaveLength(40)
  })
})
