/** Opens the store that a database address names. */
import type { Model } from './model.ts'
import type { Store } from './plan.ts'
import { SqliteStore } from './sqlite/sqlite-store.ts'

/** `sqlite:path`, or `sqlite::memory:` for one that is gone with the process. */
export function openStore(address: string, model: Model): Store {
  return new SqliteStore(sqlitePath(address), model)
}

/** The file of a SQLite address. */
export function sqlitePath(address: string): string {
  if (address.startsWith('sqlite:') && address.length > 'sqlite:'.length) return address.slice('sqlite:'.length)
  const scheme = address.slice(0, Math.max(0, address.indexOf(':')))
  throw new Error(`The database "${scheme}:…" cannot be opened. Give sqlite:path/to/file.db, or sqlite::memory:.`)
}
