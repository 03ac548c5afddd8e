/** Real database files for tests, removed after the test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'

/** The path of a database that does not exist yet. */
export function temporaryPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'test.db')
}

/** An open, empty database file with foreign keys on. */
export function temporaryDatabase(path = temporaryPath()): DatabaseSync {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA foreign_keys = ON')
  onTestFinished(() => {
    if (database.isOpen) database.close()
  })
  return database
}

/** All rows as plain objects. */
export function rows(database: DatabaseSync, query: string): readonly Record<string, unknown>[] {
  return database
    .prepare(query)
    .all()
    .map((row) => ({ ...row }))
}

/** The whole content of the file: the schema and every row of every table, without the time of the last migration. */
export function contents(database: DatabaseSync): string {
  const tables = rows(database, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
  const schema = rows(database, 'SELECT type, name, sql FROM sqlite_schema ORDER BY type, name')
  return JSON.stringify([schema, tables.map(({ name }) => [name, rows(database, `SELECT * FROM "${name}"`)])])
}
