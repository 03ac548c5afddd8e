/** Databases of one run: the one that the service makes, and a copy of it for each contender. */
import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startPostgres } from '@nomen/testing/postgres'
import pg from 'pg'
import type { DatabaseKind } from './contender.ts'

export interface Copies {
  /** Where the service makes the database that all others are copies of. */
  readonly original: string
  /** The copy of a name, made where it is missing. Nobody may use the original meanwhile. */
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
  return { original, copy, remove: async () => {} }
}

/** A server that keeps what it has committed, as it is set up where it matters. */
async function postgresCopies(): Promise<Copies> {
  const server = await startPostgres({ isDurable: true, settings: { shared_buffers: '512MB' } })
  const original = await server.createDatabase()
  const made = new Set<string>()
  const copy = async (name: string) => {
    if (!made.has(name)) {
      const client = new pg.Client(server.url())
      await client.connect()
      await client.query(`create database "${name}" template ${new URL(original).pathname.slice(1)}`)
      await client.end()
      made.add(name)
    }
    return server.url(name)
  }
  return { original, copy, remove: () => server.remove() }
}
