/** The databases of one run: one that the service creates, and a copy of it for each contender. */
import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startPostgres } from '@nomen/testing/postgres'
import pg from 'pg'
import type { DatabaseKind } from './contender.ts'

export interface Copies {
  /** The database that the service creates. */
  readonly original: string
  /** An empty database in place of the copy of this name. */
  create(name: string): Promise<string>
  /** The copy of this name, which is created if it is missing. The original must not be in use. */
  copy(name: string): Promise<string>
  remove(): Promise<void>
}

export function copiesIn(folder: string, kind: DatabaseKind): Promise<Copies> {
  return kind === 'sqlite' ? sqliteCopies(folder) : postgresCopies()
}

async function sqliteCopies(folder: string): Promise<Copies> {
  const original = join(folder, 'made.db')
  const copy = async (name: string) => {
    const file = join(folder, `${name}.db`)
    if (!existsSync(file)) await copyFile(original, file)
    return file
  }
  return { original, create: async (name) => join(folder, `${name}.db`), copy, remove: async () => {} }
}

/** A durable server, as in production. */
async function postgresCopies(): Promise<Copies> {
  const server = await startPostgres({ isDurable: true, settings: { shared_buffers: '512MB' } })
  const original = await server.createDatabase()
  const names = new Set<string>()
  const createFrom = async (template: string, name: string) => {
    const client = new pg.Client(server.url())
    await client.connect()
    await client.query(`create database "${name}" template ${template}`)
    await client.end()
    names.add(name)
    return server.url(name)
  }
  const copy = async (name: string) =>
    names.has(name) ? server.url(name) : createFrom(new URL(original).pathname.slice(1), name)
  return { original, create: (name) => createFrom('template1', name), copy, remove: () => server.remove() }
}
