/** The databases of a benchmark: one with all users, and copies of one with only their departments. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@nomen/testing/postgres'
import pg from 'pg'
import { usageOf } from '../child.ts'
import type { DatabaseKind } from '../contender.ts'

export interface BulkDatabases {
  /** The URLs of both databases. */
  readonly full: string
  readonly empty: string
  /** A folder for files, which the server can also write. */
  readonly folder: string
  /** Creates a copy of the empty database, and returns its URL. Deletes the previous copy. */
  copyEmpty(): Promise<string>
  /** Seconds of processor time of the database server since its start. */
  serverSeconds(): number
  close(): Promise<void>
}

export function bulkDatabases(kind: DatabaseKind): Promise<BulkDatabases> {
  return kind === 'sqlite' ? sqliteDatabases() : postgresDatabases()
}

async function sqliteDatabases(): Promise<BulkDatabases> {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-bulk-'))
  const pathOf = (name: string) => join(folder, `${name}.db`)
  return {
    full: `sqlite:${pathOf('full')}`,
    empty: `sqlite:${pathOf('empty')}`,
    folder,
    copyEmpty: async () => {
      for (const end of ['', '-wal', '-shm']) rmSync(`${pathOf('copy')}${end}`, { force: true })
      copyFileSync(pathOf('empty'), pathOf('copy'))
      return `sqlite:${pathOf('copy')}`
    },
    serverSeconds: () => 0,
    close: async () => rmSync(folder, { recursive: true }),
  }
}

/** Like the server of `bench:growth`: durable, with room for bulk loads. */
const settings = { shared_buffers: '1GB', max_wal_size: '8GB', maintenance_work_mem: '512MB', work_mem: '32MB' }

async function postgresDatabases(): Promise<BulkDatabases> {
  const server = await startPostgres({ isDurable: true, settings })
  const administer = async (...statements: readonly string[]) => {
    const client = new pg.Client(server.url())
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  await administer('create database full_', 'create database empty')
  const pid = Number.parseInt(readFileSync(join(server.folder, 'postmaster.pid'), 'utf8'), 10)
  return {
    full: server.url('full_'),
    empty: server.url('empty'),
    folder: server.folder,
    copyEmpty: async () => {
      // No turn pays for the pages of the turn before.
      await administer('drop database if exists copy with (force)', 'create database copy template empty', 'checkpoint')
      return server.url('copy')
    },
    serverSeconds: () => usageOf({ pid })?.processor ?? Number.NaN,
    close: () => server.remove(),
  }
}
