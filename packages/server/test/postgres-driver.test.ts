// A service on PostgreSQL does not load SQLite.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { expect, it, onTestFinished } from 'vitest'

const script = `
  import { identity, noun, resource, text } from '@nomen/core'
  import { open, service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text() })
  const options = { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] }
  const notes = service({ name: 'notes', apis: [{ name: 'notes', options }], sample: () => [{ noun: 'note', rows: [{ title: 'a' }] }] })
  const app = await open(notes, { database: process.env.DATABASE })
  const { status } = await app.fetch('http://notes/note')
  await app.close()
  console.log(status, process.moduleLoadList.some((name) => name.includes('NativeModule sqlite')))
`

it.each([
  ['PostgreSQL', false],
  ['SQLite', true],
])('a service on %s loads SQLite: %s', async (kind, isLoaded) => {
  let database = 'sqlite::memory:'
  if (kind === 'PostgreSQL') {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    database = url
  }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: join(import.meta.dirname, '..'),
    env: { PATH: process.env.PATH, DATABASE: database },
  })
  expect(stdout).toBe(`200 ${isLoaded}\n`)
})
