// A database file that is moved away, deleted or replaced while it is served: nothing is acknowledged that would be lost.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { identity, noun, resource, text } from '@nomen/core'
import { expect, it } from 'vitest'
import { opened, plainApi, serviceOf } from './opened.ts'
import { temporaryPath } from './temporary-database.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])

async function openedFile() {
  const path = temporaryPath()
  const faults: string[] = []
  const onFault = (_: string, error: unknown) => faults.push(error instanceof Error ? error.message : `${error}`)
  const app = await opened(notes, { database: `sqlite:${path}`, onFault })
  const post = async (title: string) => {
    const { status, body } = await app.ask('POST', '/note', { title })
    return [status, body.code]
  }
  await post('before')
  return { path, faults, app, post }
}

it('answers 503 while the file is not at its path, says so, and goes on when it is back', async () => {
  const { path, faults, app, post } = await openedFile()
  renameSync(path, `${path}.away`)
  expect(await post('lost')).toEqual([503, 'unavailable'])
  expect((await app.get('/health/ready')).status).toBe(503)
  expect(faults).toEqual([`The database ${path} is not there any more. Put it back, or restart the service.`])
  writeFileSync(path, '')
  expect(await post('lost too')).toEqual([503, 'unavailable'])
  renameSync(`${path}.away`, path)
  expect(await post('after')).toEqual([201, undefined])
  expect(await app.column('title', '/note')).toEqual(['before', 'after'])
})

it('shows what it held, and takes nothing, when the file is deleted', async () => {
  const { path, app, post } = await openedFile()
  for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`)
  expect(await post('lost')).toEqual([503, 'unavailable'])
  expect((await app.ask('PATCH', '/note/1', { title: 'lost' })).status).toBe(503)
  expect((await app.ask('DELETE', '/note/1')).status).toBe(503)
  expect(await app.column('title', '/note')).toEqual(['before'])
})
