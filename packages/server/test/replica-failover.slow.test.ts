// Read replicas while the primary is down, and after a failover to an asynchronous standby.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identity, noun, resource, text } from '@nomen/core'
import { readExposition } from '@nomen/testing/exposition'
import { startPostgres, startStandby } from '@nomen/testing/postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openService, plainApi, serviceOf, type TestService } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])

describe('a replica whose primary is down', () => {
  it('serves reads, and the service stays ready: it is degraded', async () => {
    const primary = await startPostgres()
    onTestFinished(() => primary.remove())
    const database = await primary.createDatabase()
    const standby = await startStandby(primary, 'second')
    onTestFinished(() => standby.remove())
    const databaseRead = standby.url(new URL(database).pathname.slice(1))
    const app = await openService(notes, { database, databaseRead, onFault: () => undefined })
    expect((await app.send('POST', '/note', { title: 'a' })).status).toBe(201)
    const ready = async () => {
      const { status, body } = await app.get('/health/ready')
      return [status, body.status, body.parts.database.detail]
    }
    expect(await ready()).toEqual([200, 'ok', undefined])
    await expect.poll(() => metric(app, 'nomen_replica_up')).toEqual([1])
    // The write is replayed, and the replica reports it.
    await expect.poll(() => metric(app, 'nomen_replica_lag_bytes')).toEqual([0])
    expect(await metric(app, 'nomen_database_failovers_total')).toEqual([0])
    const degraded = [200, 'degraded', 'The primary database server does not respond. Replicas serve reads.']
    for (const [end, resume] of [
      [primary.stop, primary.start],
      [async () => primary.freeze(), async () => primary.thaw()],
    ] as const) {
      await end()
      await expect.poll(ready).toEqual(degraded)
      // The caller has written, but the replica has its write.
      await expect.poll(async () => (await app.get('/note/1')).status).toBe(200)
      expect((await app.send('POST', '/note', { title: 'b' })).status).toBe(503)
      await resume()
      await expect.poll(ready).toEqual([200, 'ok', undefined])
    }
    await standby.stop()
    await expect.poll(() => metric(app, 'nomen_replica_up')).toEqual([0])
    await primary.stop()
    await expect.poll(async () => (await ready()).slice(0, 2)).toEqual([503, 'unavailable'])
  })
})

describe('a replaced primary that returns as a standby', () => {
  it('is not read: it has writes that were lost in the failover, and lacks those after it', async () => {
    // Its writes survive the kill.
    const old = await startPostgres({ isDurable: true })
    onTestFinished(() => old.remove())
    const name = new URL(await old.createDatabase()).pathname.slice(1)
    const standby = await startStandby(old, 'second')
    onTestFinished(() => standby.remove())
    const database = `postgres://nomen@127.0.0.1:${old.port},127.0.0.1:${standby.port}/${name}`
    const messages: string[] = []
    const settings = { database, databaseRead: old.url(name), onFault: (message: string) => messages.push(message) }
    const app = await openService(notes, settings)
    expect((await app.send('POST', '/note', { title: 'a' })).status).toBe(201)
    const onStandby = async () => (await query(standby.url(name), 'select title from note').catch(() => [])).length
    await expect.poll(onStandby).toBe(1)
    // The standby misses acknowledged writes, and the old primary is ahead of it.
    await standby.stop()
    const lost = await app.send('PATCH', '/note/1', { title: 'lost' })
    expect([lost.status, lost.headers['x-read-after']]).toEqual([200, expect.stringMatching(/^1-/)])
    for (let written = 0; written < 20; written++) await app.send('POST', '/note', { title: 'lost'.repeat(1000) })
    await old.kill()
    await standby.start()
    await query(standby.url(), 'select pg_promote()')
    writeFileSync(join(old.folder, 'standby.signal'), '')
    await old.start()
    expect(await query(old.url(name), 'select title from note where id = 1')).toEqual([{ title: 'lost' }])
    await expect.poll(async () => (await app.send('PATCH', '/note/1', { title: 'new' })).status).toBe(200)
    const changed = await app.send('PATCH', '/note/1', { title: 'newer' })
    expect([changed.status, changed.headers['x-read-after']]).toEqual([200, expect.stringMatching(/^2-/)])
    // A service that has not seen the failover.
    const other = await openService(notes, settings)
    const positions = [undefined, changed.headers['x-read-after'], lost.headers['x-read-after']]
    const isReported = () => messages.some((message) => message.includes('has not followed the primary to timeline 2'))
    do {
      for (const service of [app, other])
        for (const position of positions) {
          const { body } = await service.get('/note/1', position === undefined ? {} : { 'x-read-after': position })
          expect(body.title).toBe('newer')
        }
    } while (!isReported())
    expect((await other.get('/note')).body.pageInfo.numberOfRecords).toBe(1)
    // The one that was running has seen the failover; neither reads the old primary.
    expect(await metric(app, 'nomen_database_failovers_total')).toEqual([1])
    expect(await metric(other, 'nomen_database_failovers_total')).toEqual([0])
    for (const service of [app, other])
      expect([await metric(service, 'nomen_replica_up'), await metric(service, 'nomen_database_read_only')]).toEqual([
        [0],
        [0],
      ])
  })
})

/** The values of a metric, one for each of its labels. */
async function metric(app: TestService, name: string): Promise<readonly number[] | undefined> {
  const { text } = await app.get('/metrics')
  return readExposition(text)
    .get(name)
    ?.samples.map(({ value }) => value)
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
