// A service that cannot be opened closes what it had opened already.
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api, identity, noun, resource, text } from '@nomen/core'
import { open, service } from '@nomen/server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

const note = noun('note', { id: identity(), title: text() })
const notes = service({
  name: 'notes',
  apis: [api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })],
})

/** The files that this process has open. */
function openFiles(): readonly string[] {
  const folder = '/proc/self/fd'
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))]
    } catch {
      return []
    }
  })
}

describe.runIf(process.platform === 'linux')('a service that cannot be opened', () => {
  it('closes its access log', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const accessLog = join(folder, 'access.log')
    const auth = { issuer: 'https://login.example.com', audience: '' }
    await expect(open(notes, { database: 'sqlite::memory:', accessLog, auth })).rejects.toThrow('audience')
    // The log opens its file in the background.
    await vi.waitFor(() => expect(existsSync(accessLog)).toBe(true))
    expect(openFiles()).not.toContain(accessLog)
  })
})

describe('a service on SQLite', () => {
  it.each([
    [{ databaseRead: 'postgres://db/notes' }, '--database-read (DATABASE_READ_URL)'],
    [{ databaseRead: 'elsewhere' }, '--database-read (DATABASE_READ_URL)'],
    [{ databaseDirect: 'postgres://db/notes' }, '--database-direct (DATABASE_DIRECT_URL)'],
  ])('cannot be opened with %o, and the message names the flag and the variable', async (settings, source) => {
    await expect(open(notes, { database: 'sqlite::memory:', ...settings })).rejects.toThrow(
      `${source} can be used only with a PostgreSQL database.\n  Remove ${source}, or use PostgreSQL.`,
    )
  })
})
