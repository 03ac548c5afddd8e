/** Derived names: those of indexes, triggers and tallies. */
import { createHash } from 'node:crypto'

/**
 * The version of the derived names, triggers and tallies of a table. Databases without an edition have edition 1; the
 * next start upgrades them. On PostgreSQL, edition 3 compacts tallies in batches, also for tables in a publication.
 */
export const edition = 3

/**
 * Joins the parts with underscores. If a part contains an underscore, different parts could give the same name, such as
 * `price` with `delta_key` and `price_delta` with `key`. From edition 2 on, a hash of the parts keeps them apart.
 */
export function derivedName(parts: readonly string[], of: number = edition): string {
  const joined = parts.join('_')
  if (of < 2 || !parts.some((part) => part.includes('_'))) return joined
  return `${joined}_${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)}`
}
