/** Names of tables, columns and indexes as PostgreSQL can keep them. */
import { createHash } from 'node:crypto'
import { quotedName } from '../sql/sql.ts'

/** PostgreSQL cuts longer names without a word, so that two of them could become one. */
const maxLength = 63

/**
 * The name itself, or where it is too long its beginning and a hash of all of it. Every name in SQL goes through here,
 * so that whoever writes it gets the same.
 */
export function postgresName(name: string): string {
  if (Buffer.byteLength(name) <= maxLength) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 16)
  const room = maxLength - hash.length - 1
  let beginning = name.slice(0, room)
  while (Buffer.byteLength(beginning) > room) beginning = beginning.slice(0, -1)
  return `${beginning.toWellFormed()}_${hash}`
}

/** A name as it is written in SQL: shortened if it is too long, and quoted. */
export function identifier(name: string): string {
  return quotedName(postgresName(name))
}
