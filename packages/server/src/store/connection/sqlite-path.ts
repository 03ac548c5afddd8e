/** SQLite URLs: `sqlite:path/to/file.db` or `sqlite::memory:`. */
import { existsSync } from 'node:fs'
import { DatabaseError } from '../fault/database-error.ts'

/** The file of an SQLite URL, which must exist. */
export function existingSqlitePath(address: string): string {
  const path = sqlitePath(address)
  if (existsSync(path)) return path
  throw new DatabaseError(path, ': the file does not exist', 'Use the database URL of the service.')
}

/** The file of an SQLite URL. */
export function sqlitePath(address: string): string {
  if (address.startsWith('sqlite://')) {
    const path = address.slice('sqlite://'.length).replace(/^\/+/, '/')
    throw new DatabaseError(address, '', `Remove the slashes: sqlite:${path || 'path/to/file.db'}`)
  }
  if (address.startsWith('sqlite:') && address.length > 'sqlite:'.length) return address.slice('sqlite:'.length)
  // The URL may contain a password, so only its scheme is shown.
  const redacted = address.includes('@') ? `${address.slice(0, address.indexOf(':'))}:…` : address
  throw new DatabaseError(
    redacted,
    '',
    'Use sqlite:path/to/file.db, sqlite::memory: or postgres://user:password@host/database.',
  )
}
