/** The exit code for files that do not exist or cannot be written, of all commands. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { commands } from './main.ts'
import { failureOf } from './output/failure.ts'

const folder = mkdtempSync(join(tmpdir(), 'nomen-exit-code-'))
const file = (name: string) => join(folder, name)
const service = join(import.meta.dirname, '../../../apps/directory/service.ts')

beforeAll(() => {
  writeFileSync(file('access.log'), '')
  writeFileSync(file('user.csv'), 'id\n')
  writeFileSync(file('openapi.json'), '{ "openapi": "3.1.0", "info": {}, "paths": {} }')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** `missing/…` does not exist, nor does its folder. */
const inputs: readonly (readonly string[])[] = [
  ['new', file('project'), '--from', file('missing/openapi.yaml')],
  ['serve', file('missing/service.ts')],
  ['migrate', '--plan', file('missing/service.ts')],
  ['openapi', file('missing/service.ts')],
  ['usage', file('missing/access.log')],
  ['usage', file('access.log'), '--api', file('missing/openapi.json')],
  ['usage', file('access.log'), '--api', file('missing/service.ts')],
  ['ship', file('missing/access.log'), '--to', 'syslog+tcp://127.0.0.1:1'],
  ['ship', file('missing.log'), '--once', '--to', 'syslog+tcp://127.0.0.1:1'],
  ['ship', file('access.log'), '--to', 'syslog+tls://127.0.0.1:1', '--ca', file('missing/ca.pem')],
  ['ship', file('access.log'), '--to', 'syslog+tcp://127.0.0.1:1', '--api', file('missing/openapi.json')],
  ['load', 'user', file('missing/user.csv'), service],
  ['load', 'user', file('user.csv'), file('missing/service.ts')],
  ['export', 'user', '-', file('missing/service.ts')],
  ['backup', file('backup.db'), file('missing/service.ts')],
  ['restore', file('missing/backup.db'), service, '--database', `sqlite:${file('directory.db')}`],
  ['restore', file('user.csv'), file('missing/service.ts')],
  ['recount', file('missing/service.ts')],
  ['explain', '/user', file('missing/service.ts')],
  ['diff', file('missing/openapi.json'), file('openapi.json')],
  ['diff', file('openapi.json'), file('missing/service.ts')],
  ['lint', file('missing/openapi.yaml')],
  ['lint', file('missing/service.ts')],
  ['lint', file('missing/*.yaml')],
  ['lint', file('openapi.json'), '--dictionary', file('missing/words.txt')],
  ['lint', file('openapi.json'), '--exceptions', file('missing/exceptions.yaml')],
  ['check', 'http://127.0.0.1:1', '--document', file('missing/openapi.json')],
  ['check', 'http://127.0.0.1:1', '--access-log', file('missing/access.log')],
]

it.each(inputs.map((words) => [words] as const))(
  '%j exits with 2 if a file that it reads does not exist',
  async (words) => {
    expect(await exitCodeOf(words)).toBe(2)
  },
)

const outputs: readonly (readonly string[])[] = [
  ['openapi', service, '--output', file('missing/openapi.json')],
  ['usage', file('access.log'), '--api', file('openapi.json'), '--output', file('missing/usage.txt')],
  ['load', 'user', file('user.csv'), service, '--rejects', file('missing/rejects.ndjson')],
]

it.each(outputs.map((words) => [words] as const))('%j exits with 1 if it cannot write its output', async (words) => {
  expect(await exitCodeOf(words)).toBe(1)
})

async function exitCodeOf([name, ...words]: readonly string[]): Promise<number> {
  const command = await commands.find((entry) => entry.name === name)?.load()
  const error: unknown = await command?.run(words).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Error)
  expect(`${error}`).toContain('missing')
  return failureOf(error).exitCode
}
