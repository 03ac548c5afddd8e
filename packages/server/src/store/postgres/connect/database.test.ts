import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readAddress } from '../../postgres-address.ts'
import { retry } from '../../retry.ts'
import { slot } from '../../sql/fragment.ts'
import { sql } from '../../sql/sql.ts'
import { compile } from '../statement.ts'
import { PostgresDatabase } from './database.ts'
import { PostgresHosts } from './hosts.ts'

const plus = compile<number>(sql`select ${slot<number>((input) => input)}::int + 1`)
const note = compile<number>(sql`insert into noted values (${slot<number>((input) => input)})`)
const heldUp = compile<undefined>(sql`select pg_advisory_lock_shared(7), pg_advisory_unlock_shared(7)`)

/** A database with a lock that others wait for until it is let go. */
async function held() {
  const { url, remove } = await temporaryPostgres()
  const holder = new pg.Client(url)
  await holder.connect()
  await holder.query('create table noted (number int); select pg_advisory_lock(7)')
  const database = new PostgresDatabase(new PostgresHosts(readAddress(url)))
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
  it('serves reads and writes while more lists than it takes at once are held up', async () => {
    const { database, waiting, letGo } = await held()
    const lists = many(30, () => database.read(heldUp, undefined))
    await expect.poll(waiting).toBe(10)
    expect(await many(50, (number) => database.readShort(plus, number))).toHaveLength(50)
    await many(50, (number) => database.once.writeShort(note, number))
    expect([database.pool.wait('list') > 0, database.pool.wait('read'), database.pool.wait('write')]).toEqual([
      true,
      0,
      0,
    ])
    await letGo()
    expect(await lists).toHaveLength(30)
  })

  it('serves reads and lists while more writes than it takes at once are held up', async () => {
    const { database, waiting, letGo } = await held()
    const writes = many(80, () => database.once.writeShort(heldUp, undefined))
    await expect.poll(waiting).toBe(10)
    expect(await many(50, (number) => database.readShort(plus, number))).toHaveLength(50)
    expect(await many(50, (number) => database.read(plus, number))).toHaveLength(50)
    expect([database.pool.wait('write') > 0, database.pool.wait('read'), database.pool.wait('list')]).toEqual([
      true,
      0,
      0,
    ])
    await letGo()
    expect(await writes).toHaveLength(80)
  })

  it('sends writes behind others, each for itself: one that fails undoes no other', async () => {
    const { database, holder } = await held()
    await holder.query('create unique index on noted (number)')
    const outcomes = await Promise.allSettled([...Array(200).keys()].map((n) => database.once.writeShort(note, n >> 1)))
    const done = outcomes.filter(({ status }) => status === 'fulfilled')
    const { rows } = await holder.query('select number from noted order by number')
    expect([done.length, rows.map(({ number }) => number)]).toEqual([100, [...Array(100).keys()]])
  })

  it('runs a statement again whose preparation failed with the one before it', async () => {
    const { database, holder } = await held()
    const soon = compile<number>(sql`insert into soon values (${slot<number>((input) => input)}) returning number`)
    const early = await Promise.allSettled(
      [...Array(40).keys()].map((n) => retry(() => database.once.writeShort(soon, n))),
    )
    const codes = early.map((one) => one.status === 'rejected' && (one.reason.cause as { code: string }).code)
    // All of them hear of the table, and nobody of a statement that was never prepared.
    expect(new Set(codes)).toEqual(new Set(['42P01']))
    await holder.query('create table soon (number int)')
    expect(await many(40, (number) => retry(() => database.once.writeShort(soon, number)))).toHaveLength(40)
  })
})
