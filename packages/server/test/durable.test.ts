// The connection of the store is durable at every commit: its settings are read back from the connection.
import { DatabaseSync } from 'node:sqlite'
import { identity, noun, resource, text } from '@nomen/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryPath } from './temporary-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])

/** Every connection that runs something from now on. Only watched: each call goes through. */
function watchedConnections(): () => DatabaseSync[] {
  const watched = [vi.spyOn(DatabaseSync.prototype, 'exec'), vi.spyOn(DatabaseSync.prototype, 'prepare')]
  onTestFinished(() => {
    for (const spy of watched) spy.mockRestore()
  })
  return () => [...new Set(watched.flatMap(({ mock }) => mock.contexts as DatabaseSync[]))]
}

function pragma(connection: DatabaseSync, name: string): unknown {
  return Object.values(connection.prepare(`pragma ${name}`).get() ?? {})[0]
}

describe('a service on a file', () => {
  it('uses a write-ahead log, syncs at every commit and enforces foreign keys', async () => {
    const connections = watchedConnections()
    const path = temporaryPath()
    const { send } = await openService(notes, { database: `sqlite:${path}` })
    await send('POST', '/note', { title: 'a' })
    const open = connections().filter((connection) => connection.isOpen)
    expect(open.length).toBeGreaterThan(0)
    for (const connection of open) {
      expect(connection.location()).toBe(path)
      expect(pragma(connection, 'journal_mode')).toBe('wal')
      expect(pragma(connection, 'synchronous')).toBe(2)
      expect(pragma(connection, 'foreign_keys')).toBe(1)
    }
  })

  it('has the same settings when the file is opened again', async () => {
    const path = temporaryPath()
    const first = await openService(notes, { database: `sqlite:${path}` })
    await first.app.close()
    const connections = watchedConnections()
    const { send } = await openService(notes, { database: `sqlite:${path}` })
    await send('POST', '/note', { title: 'a' })
    expect(connections().length).toBeGreaterThan(0)
    for (const connection of connections()) {
      const settings = ['journal_mode', 'synchronous', 'foreign_keys'].map((name) => pragma(connection, name))
      expect(settings).toEqual(['wal', 2, 1])
    }
  })
})
