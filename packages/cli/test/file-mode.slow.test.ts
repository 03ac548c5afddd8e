// Only the user who runs a service can read its files.
import { once } from 'node:events'
import { chmodSync, globSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { serviceFolder } from './folder.ts'
import { nomen, serve } from './nomen.ts'
import { sendRequest } from './send-request.ts'

const noteService = `
  import { api, identity, noun, resource, text } from '@nomen/core'
  import { service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text() })
  const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })
  export default service({ name: 'notes', apis: [notes] })
`

/** The permissions of every file in a folder, in octal notation. */
function modes(folder: string): Record<string, string> {
  const files = globSync('**/*', { cwd: folder }).filter((name) => statSync(join(folder, name)).isFile())
  return Object.fromEntries(files.sort().map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]))
}

const shell = (umask: string) => ['sh', '-c', `umask ${umask}; exec "$@"`, 'sh']

it('are readable only by their owner: database, access log, backup, checksum and positions', async () => {
  const folder = serviceFolder({ 'service.ts': noteService })
  const under = shell('022')
  const collector = createServer((_, response) => response.writeHead(204).end()).listen(0, '127.0.0.1')
  onTestFinished(() => void collector.close())
  await once(collector, 'listening')
  const ship = `loki+http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const server = await serve(['--access-log-size', '1', '--ship', ship], { folder, under })
  for (const title of ['a', 'b', 'c']) {
    await sendRequest(`${server.base}/note`, { method: 'POST', body: { title } })
    await new Promise((resolve) => setTimeout(resolve, 1500))
  }
  await expect.poll(() => Object.keys(modes(join(folder, 'data'))).some((name) => name.endsWith('.gz'))).toBe(true)
  expect(await nomen(['backup', 'backup.db'], { folder, under })).toMatchObject({ code: 0 })
  const fileModes = modes(join(folder, 'data'))
  expect(Object.keys(fileModes)).toEqual(
    expect.arrayContaining(['notes.db', 'notes.db-shm', 'notes.db-wal', 'access.log']),
  )
  expect(Object.keys(fileModes).some((name) => name.includes('position') || name.includes('shipped'))).toBe(true)
  expect(fileModes).toEqual(Object.fromEntries(Object.keys(fileModes).map((name) => [name, '600'])))
  const { 'backup.db': backup, 'backup.db.sha256': checksum } = modes(folder)
  expect([backup, checksum]).toEqual(['600', '600'])
  server.kill('SIGTERM')
  await server.exit

  expect(await nomen(['restore', 'backup.db', '--database', 'sqlite:other.db'], { folder, under })).toMatchObject({
    code: 0,
  })
  expect(modes(folder)['other.db']).toBe('600')
})

it('keep their permissions, even if a log is compressed', async () => {
  const folder = serviceFolder({ 'service.ts': noteService, 'data/.keep': '' })
  writeFileSync(join(folder, 'data/notes.db'), '')
  chmodSync(join(folder, 'data/notes.db'), 0o660)
  const fileModes = () => modes(join(folder, 'data'))
  const server = await serve(['--access-log-size', '2000'], { folder, under: shell('027') })
  await expect.poll(() => fileModes()['access.log']).toBe('600')
  chmodSync(join(folder, 'data/access.log'), 0o644)
  await sendRequest(`${server.base}/note`, { method: 'POST', body: { title: 'a' } })
  await expect.poll(() => fileModes()['notes.db-wal']).toBe('660')
  const compressed = () => Object.entries(fileModes()).filter(([name]) => name.endsWith('.gz'))
  await expect
    .poll(async () => {
      for (let number = 0; number < 20; number++) await sendRequest(`${server.base}/note`)
      return compressed().length
    })
    .toBeGreaterThan(0)
  expect(compressed()[0]?.[1]).toBe('644')
  // The next log has the permissions of the last one.
  await expect.poll(() => fileModes()['access.log']).toBe('644')
})
