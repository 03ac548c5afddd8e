/** Names of tables, columns and indexes that PostgreSQL can store. */
import { createHash } from 'node:crypto'
import { quotedName } from '../sql/sql.ts'

/** PostgreSQL truncates longer names silently, so that two of them could become equal. */
const maxBytes = 63

/** The name itself; if it is too long, its beginning and a hash. Every name in SQL goes through here. */
export function postgresName(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 16)
  const maxPrefix = maxBytes - hash.length - 1
  let prefix = name.slice(0, maxPrefix)
  while (Buffer.byteLength(prefix) > maxPrefix) prefix = prefix.slice(0, -1)
  return `${prefix.toWellFormed()}_${hash}`
}

/** A name in SQL: shortened if it is too long, and quoted. */
export function identifier(name: string): string {
  return quotedName(postgresName(name))
}
