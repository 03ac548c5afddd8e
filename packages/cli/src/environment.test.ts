import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readArguments } from './command.ts'
import { databaseFlags } from './flag/database.ts'
import { databaseFlag, directDatabaseOf } from './flag/database-url.ts'
import { shipSettings } from './ship/ship-flag.ts'

/** Sets variables for one test. */
function setEnvironment(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
}

function secretFile(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-secret-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'secret'), content)
  return join(folder, 'secret')
}

const database = (...words: string[]) => readArguments(databaseFlags, words).text('database')

it('the file of a variable contains its value, without the line break at its end', () => {
  setEnvironment({ DATABASE_URL_FILE: secretFile('postgres://ada:secret@db/desk\n') })
  expect(database()).toBe('postgres://ada:secret@db/desk')
  expect(database('--database', 'sqlite:other.db')).toBe('sqlite:other.db')
})

it('commands use the direct URL of a database behind a pooler, unless a flag names another one', () => {
  const databaseIn = (...words: string[]) => directDatabaseOf(readArguments([databaseFlag], words), { name: 'desk' })
  expect(databaseIn()).toBe('sqlite:data/desk.db')
  setEnvironment({ DATABASE_URL: 'postgres://pooler/desk' })
  expect(databaseIn()).toBe('postgres://pooler/desk')
  setEnvironment({ DATABASE_DIRECT_URL: 'postgres://db/desk' })
  expect(databaseIn()).toBe('postgres://db/desk')
  expect(databaseIn('--database', 'sqlite:other.db')).toBe('sqlite:other.db')
})

it('headers of log shipping can be in a file', () => {
  setEnvironment({ SHIP_HEADERS_FILE: secretFile('authorization=Bearer abc\n') })
  expect(shipSettings('loki+http://logs', () => undefined)).toMatchObject({ headers: 'authorization=Bearer abc' })
})

it('an empty file, and an empty variable, count as not set', () => {
  setEnvironment({ DATABASE_URL: '', DATABASE_URL_FILE: secretFile('\n') })
  expect(database()).toBeUndefined()
})

it('a variable and its file cannot both be set', () => {
  setEnvironment({ DATABASE_URL: 'sqlite:desk.db', DATABASE_URL_FILE: secretFile('sqlite:other.db') })
  expect(() => database()).toThrow('DATABASE_URL and DATABASE_URL_FILE are both set.')
})

it('a file that cannot be read is an error that names variable, path and reason', () => {
  setEnvironment({ DATABASE_URL_FILE: '/missing/secret' })
  expect(() => database()).toThrow(
    'DATABASE_URL_FILE is "/missing/secret", but the file cannot be read (ENOENT).\n  Check the path, and that this user may read the file.',
  )
})
