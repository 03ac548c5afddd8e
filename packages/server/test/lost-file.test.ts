// A database file that is moved, deleted or replaced while it is served: no write is acknowledged and lost.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { identity, noun, resource, text } from '@nomen/core'
import { expect, it } from 'vitest'
import { temporaryPath } from './temporary-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])

async function openFile() {
  const path = temporaryPath()
  const faults: string[] = []
  const onFault = (_: string, error: unknown) => faults.push(error instanceof Error ? error.message : `${error}`)
  const app = await openService(notes, { database: `sqlite:${path}`, onFault })
  const post = async (title: string) => {
    const { status, body } = await app.send('POST', '/note', { title })
    return [status, body.code]
  }
  await post('before')
  return { path, faults, app, post }
}

it('responds with 503 while the file is not at its path, reports it, and recovers when it is back', async () => {
  const { path, faults, app, post } = await openFile()
  renameSync(path, `${path}.away`)
  expect(await post('lost')).toEqual([503, 'unavailable'])
  expect((await app.get('/health/ready')).status).toBe(503)
  expect(faults).toEqual([`The database ${path} no longer exists. Restore the file, or restart the service.`])
  writeFileSync(path, '')
  expect(await post('lost too')).toEqual([503, 'unavailable'])
  renameSync(`${path}.away`, path)
  expect(await post('after')).toEqual([201, undefined])
  expect(await app.column('title', '/note')).toEqual(['before', 'after'])
})

it('still serves reads and rejects writes after the file is deleted', async () => {
  const { path, app, post } = await openFile()
  for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`)
  expect(await post('lost')).toEqual([503, 'unavailable'])
  expect((await app.send('PATCH', '/note/1', { title: 'lost' })).status).toBe(503)
  expect((await app.send('DELETE', '/note/1')).status).toBe(503)
  expect(await app.column('title', '/note')).toEqual(['before'])
})
