// Files with the records and the callers of a service are for the user who runs it.
import { once } from 'node:events'
import { chmodSync, globSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ask } from './ask.ts'
import { serviceFolder } from './folder.ts'
import { nomen, serve } from './nomen.ts'

const noteService = `
  import { api, identity, noun, resource, text } from '@nomen/core'
  import { service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text() })
  const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })
  export default service({ name: 'notes', apis: [notes] })
`

/** The permissions of every file in a folder, as `ls` would number them. */
function modes(folder: string): Record<string, string> {
  const files = globSync('**/*', { cwd: folder }).filter((name) => statSync(join(folder, name)).isFile())
  return Object.fromEntries(files.sort().map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]))
}

const shell = (umask: string) => ['sh', '-c', `umask ${umask}; exec "$@"`, 'sh']

it('are made for their owner alone: database, access log, backup, checksum and positions', async () => {
  const folder = serviceFolder({ 'service.ts': noteService })
  const under = shell('022')
  const taker = createServer((_, response) => response.writeHead(204).end()).listen(0, '127.0.0.1')
  onTestFinished(() => void taker.close())
  await once(taker, 'listening')
  const ship = `loki+http://127.0.0.1:${(taker.address() as AddressInfo).port}`
  const served = await serve(['--access-log-size', '1', '--ship', ship], { folder, under })
  for (const title of ['a', 'b', 'c']) {
    await ask(`${served.base}/note`, { method: 'POST', body: { title } })
    await new Promise((resolve) => setTimeout(resolve, 1500))
  }
  await expect.poll(() => Object.keys(modes(join(folder, 'data'))).some((name) => name.endsWith('.gz'))).toBe(true)
  expect(await nomen(['backup', 'backup.db'], { folder, under })).toMatchObject({ code: 0 })
  const found = modes(join(folder, 'data'))
  expect(Object.keys(found)).toEqual(expect.arrayContaining(['notes.db', 'notes.db-shm', 'notes.db-wal', 'access.log']))
  expect(Object.keys(found).some((name) => name.includes('position') || name.includes('shipped'))).toBe(true)
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, '600'])))
  const { 'backup.db': backup, 'backup.db.sha256': checksum } = modes(folder)
  expect([backup, checksum]).toEqual(['600', '600'])
  served.kill('SIGTERM')
  await served.ended

  expect(await nomen(['restore', 'backup.db', '--database', 'sqlite:other.db'], { folder, under })).toMatchObject({
    code: 0,
  })
  expect(modes(folder)['other.db']).toBe('600')
})

it('keep the permissions that they have, also when a log is compressed', async () => {
  const folder = serviceFolder({ 'service.ts': noteService, 'data/.keep': '' })
  writeFileSync(join(folder, 'data/notes.db'), '')
  chmodSync(join(folder, 'data/notes.db'), 0o660)
  const found = () => modes(join(folder, 'data'))
  const served = await serve(['--access-log-size', '2000'], { folder, under: shell('027') })
  await expect.poll(() => found()['access.log']).toBe('600')
  chmodSync(join(folder, 'data/access.log'), 0o644)
  await ask(`${served.base}/note`, { method: 'POST', body: { title: 'a' } })
  await expect.poll(() => found()['notes.db-wal']).toBe('660')
  const compressed = () => Object.entries(found()).filter(([name]) => name.endsWith('.gz'))
  await expect
    .poll(async () => {
      for (let number = 0; number < 20; number++) await ask(`${served.base}/note`)
      return compressed().length
    })
    .toBeGreaterThan(0)
  expect(compressed()[0]?.[1]).toBe('644')
  // The next log is as the last one was.
  await expect.poll(() => found()['access.log']).toBe('644')
})
