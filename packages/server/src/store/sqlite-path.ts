/** Database addresses of SQLite: `sqlite:path/to/file.db` or `sqlite::memory:`. */
import { DatabaseError } from './database-error.ts'

/** The file of a SQLite address. */
export function sqlitePath(address: string): string {
  if (address.startsWith('sqlite://')) {
    const path = address.slice('sqlite://'.length).replace(/^\/+/, '/')
    throw new DatabaseError(address, '', `Write it without the slashes: sqlite:${path || 'path/to/file.db'}`)
  }
  if (address.startsWith('sqlite:') && address.length > 'sqlite:'.length) return address.slice('sqlite:'.length)
  // A password may stand in an address, so only its beginning is told.
  const shown = address.includes('@') ? `${address.slice(0, address.indexOf(':'))}:…` : address
  throw new DatabaseError(
    shown,
    '',
    'Give sqlite:path/to/file.db, sqlite::memory: or postgres://user:password@host/database.',
  )
}
