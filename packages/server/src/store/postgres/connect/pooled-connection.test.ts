import type { Socket } from 'node:net'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readPostgresUrl } from '../../connection/postgres-url.ts'
import { slot } from '../../sql/fragment.ts'
import { sql } from '../../sql/sql.ts'
import { compile } from '../statement.ts'
import { PostgresHosts } from './hosts.ts'
import { PooledConnection } from './pooled-connection.ts'

async function connected() {
  const { url, remove } = await temporaryPostgres()
  const lost: PooledConnection[] = []
  const session = await new PostgresHosts(readPostgresUrl(url)).open()
  const connection = new PooledConnection(session, (lostConnection) => lost.push(lostConnection))
  onTestFinished(async () => {
    await connection.close()
    await remove()
  })
  return { connection, client: session.client, url, lost }
}

const plus = (number: number) =>
  compile<number>(sql`select ${slot<number>((input) => input)}::int + ${sql.lit(number)}`)

describe('a connection of a pool', () => {
  it('returns the result of each pipelined statement', async () => {
    const { connection } = await connected()
    const failing = compile<number>(sql`select 1 / ${slot<number>((input) => input)}::int`)
    const results = await Promise.allSettled([
      connection.run(plus(1), 1),
      connection.run(failing, 0),
      connection.run(plus(1), 2),
      connection.run(failing, 1),
    ])
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.code))).toEqual([
      [['2']],
      '22012',
      [['3']],
      [['1']],
    ])
  })

  it('prepares a statement once, and deallocates the least recently used one when there are too many', async () => {
    const { connection } = await connected()
    const prepared = async () =>
      Number((await connection.execute('select count(*) from pg_prepared_statements'))[0]?.[0])
    for (let run = 0; run < 5; run++) await connection.run(plus(1), run)
    expect(await prepared()).toBe(1)
    const first = plus(0)
    for (let number = 0; number < 300; number++) {
      expect(await connection.run(plus(number), 1)).toEqual([[`${number + 1}`]])
      // Frequently used statements stay prepared.
      await connection.run(first, 1)
    }
    expect(await prepared()).toBe(200)
    const names = (await connection.execute('select name from pg_prepared_statements')).map(([name]) => name)
    expect(names).toContain(first.name)
    expect(names).toContain(plus(299).name)
    expect(names).not.toContain(plus(5).name)
    expect(await connection.run(plus(5), 1)).toEqual([['6']])
    expect(await prepared()).toBe(200)
  })

  it('reports its loss once, and sends nothing more', async () => {
    const { connection, lost } = await connected()
    const ended = connection.execute('select pg_terminate_backend(pg_backend_pid())')
    await expect(ended).rejects.toMatchObject({ code: '57P01' })
    expect(lost).toEqual([connection])
    await expect(connection.run(plus(1), 1)).rejects.toMatchObject({ name: 'NotSent' })
    expect(lost).toEqual([connection])
  })

  it("reports statements after the server's end of the connection as not run", async () => {
    const { connection, client, url } = await connected()
    const observer = new pg.Client(url)
    await observer.connect()
    onTestFinished(() => observer.end())
    await observer.query('create table noted (number int)')
    const note = compile<number>(sql`insert into noted values (${slot<number>((input) => input)})`)
    const end = compile<undefined>(sql`select pg_terminate_backend(pg_backend_pid())`)
    // In one write: a server that ends before it has read everything resets the connection, and its error may be lost.
    const { stream } = client.connection as unknown as { readonly stream: Socket }
    stream.cork()
    const sent = [1, undefined, 2, 3].map((number) =>
      number === undefined ? connection.run(end, number) : connection.run(note, number),
    )
    stream.uncork()
    const [first, ...results] = await Promise.allSettled(sent)
    const { rows } = await observer.query('select number from noted')
    expect([first?.status, rows]).toEqual(['fulfilled', [{ number: 1 }]])
    expect(results.map((result) => result.status === 'rejected' && result.reason.name)).toEqual([
      'NotSent',
      'NotSent',
      'NotSent',
    ])
  })

  it('never reports a commit as not run', async () => {
    const { connection } = await connected()
    const ended = connection.execute('begin; select pg_terminate_backend(pg_backend_pid()); commit')
    await expect(ended).rejects.toMatchObject({ code: '57P01' })
  })

  it('has the settings that lists and writes need, and those of the URL', async () => {
    const { url } = await connected()
    const urlWithSettings = `${url}&statement_timeout=1234&application_name=test&options=-c%20work_mem%3D5MB`
    for (const [connectionUrl, expected] of [
      [url, ['10s', 'nomen', '4MB']],
      [urlWithSettings, ['1234ms', 'test', '5MB']],
    ] as const) {
      const connection = new PooledConnection(await new PostgresHosts(readPostgresUrl(connectionUrl)).open(), () => {})
      onTestFinished(() => connection.close())
      const names = ['statement_timeout', 'application_name', 'work_mem']
      const all = [...names, 'jit', 'max_parallel_workers_per_gather', 'default_transaction_isolation']
      const [row] = await connection.execute(`select ${all.map((name) => `current_setting('${name}')`)}`)
      expect(row).toEqual([...expected, 'off', '0', 'read committed'])
    }
  })
})
