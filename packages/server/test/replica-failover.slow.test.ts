// Read replicas while the primary is down.
import { identity, noun, resource, text } from '@nomen/core'
import { startPostgres, startStandby } from '@nomen/testing/postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openService, plainApi, serviceOf } from './test-service.ts'

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
    await primary.stop()
    await expect.poll(async () => (await ready()).slice(0, 2)).toEqual([503, 'unavailable'])
  })
})
