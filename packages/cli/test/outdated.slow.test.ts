// Another process migrates the database of a service with several processes.
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { expect, it, onTestFinished } from 'vitest'
import { serviceFolder, writeFiles } from './folder.ts'
import { nomen, serve } from './nomen.ts'
import { sendRequest } from './send-request.ts'

const service = `import { api, identity, noun, resource, text } from '@nomen/core'
import { service } from '@nomen/server'

const note = noun('note', { id: identity(), title: text() })
const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })
export default service({ name: 'notes', apis: [notes] })
`

async function postgresAddress(): Promise<string> {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  return url
}

it.each([
  ['SQLite', async () => 'sqlite:data/notes.db'],
  ['PostgreSQL', postgresAddress],
])('every worker on %s responds with 503, and is not ready', async (_, addressOf) => {
  const folder = serviceFolder({ 'service.ts': service })
  const database = ['--database', await addressOf()]
  const server = await serve(['--workers', '2', ...database], { folder })
  const post = (title: string) => sendRequest(`${server.base}/note`, { method: 'POST', body: { title } })
  for (const title of ['one', 'two', 'three', 'four']) expect((await post(title)).status).toBe(201)
  writeFiles(folder, { 'service.ts': service.replace('title: text()', 'name: text().nullable()') })
  expect(await nomen(['migrate', '--apply', '--yes', ...database], { folder })).toMatchObject({ code: 0 })
  const statuses = new Set<number>()
  for (let turn = 0; turn < 8; turn++) {
    for (const path of ['/note', '/note/1', '/note?title=one'])
      statuses.add((await sendRequest(`${server.base}${path}`)).status)
    statuses.add((await post('five')).status)
    statuses.add((await sendRequest(`${server.base}/health/ready`)).status)
  }
  expect([...statuses]).toEqual([503])
})
