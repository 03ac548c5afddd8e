/** The check of json-server, a service that does not follow the conventions. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkService } from '@nomen/conventions'
import { freePort } from '@nomen/testing/free-port'
import { expect, it, onTestFinished } from 'vitest'

const command = join(import.meta.dirname, '../../../node_modules/json-server/lib/bin.js')

it('reports exactly the deviations of json-server from the conventions', async () => {
  const base = await jsonServer()
  const document = join(import.meta.dirname, 'json-server.yaml')
  const { results, counts } = await checkService({ base, document, isWriting: true, seed: 'a' })
  const failed = results.filter(({ outcome }) => outcome === 'failed').map(({ code, subject }) => `${code} ${subject}`)
  expect(failed).toEqual([
    'envelope /user',
    'filter-equal /user',
    'filter-any-of /user',
    'envelope /department',
    'filter-any-of /department',
    'create-location /user',
    'put-requires-all /user',
    'malformed-json /user',
    'wrong-media-type /user',
    'document-agrees PUT /user/{id}',
  ])
  expect(counts.passed).toBeGreaterThan(50)
})

async function jsonServer(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const names = ['Ada', 'Alan', 'Grace', 'Edsger', 'Barbara']
  const user = Array.from({ length: 25 }, (_, at) => ({
    id: `${at + 1}`,
    firstName: names[at % 5],
    lastName: `User ${at + 1}`,
    status: at % 4 === 3 ? 'SUSPENDED' : 'ACTIVE',
    department: `${(at % 3) + 1}`,
  }))
  const department = ['Sales', 'Research', 'Support'].map((name, at) => ({ id: `${at + 1}`, name }))
  const file = join(folder, 'db.json')
  writeFileSync(file, JSON.stringify({ user, department }))
  const port = await freePort()
  // Not in production, it watches its file: on a busy machine it then reads an older state again after its own write.
  const env = { ...process.env, NODE_ENV: 'production' }
  mkdirSync(join(folder, 'public'))
  const child = spawn(process.execPath, [command, file, '--host', '127.0.0.1', '--port', `${port}`], {
    cwd: folder,
    env,
  })
  onTestFinished(async () => {
    child.kill()
    await once(child, 'close')
  })
  await once(child.stdout, 'data')
  return `http://127.0.0.1:${port}`
}
