/** SQLite URLs: `sqlite:path/to/file.db` or `sqlite::memory:`. */
import { existsSync } from 'node:fs'
import { DatabaseError } from '../fault/database-error.ts'

/** The file of an SQLite URL, which must exist. */
export function existingSqlitePath(url: string): string {
  const path = sqlitePath(url)
  requireFile(path)
  return path
}

export function requireFile(path: string): void {
  if (existsSync(path)) return
  throw new DatabaseError(path, ': the file does not exist', 'Use the database URL of the service.')
}

/** The file of an SQLite URL. */
export function sqlitePath(url: string): string {
  if (url.startsWith('sqlite://')) {
    const path = url.slice('sqlite://'.length).replace(/^\/+/, '/')
    throw new DatabaseError(url, '', `Remove the slashes: sqlite:${path || 'path/to/file.db'}`)
  }
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) return url.slice('sqlite:'.length)
  // The URL may contain a password, so only its scheme is shown.
  const redacted = url.includes('@') ? `${url.slice(0, url.indexOf(':'))}:…` : url
  throw new DatabaseError(
    redacted,
    '',
    'Use sqlite:path/to/file.db, sqlite::memory: or postgres://user:password@host/database.',
  )
}
