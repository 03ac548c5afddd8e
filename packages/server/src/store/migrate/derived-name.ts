/** Names that are made of others: those of indexes, triggers and tallies. */
import { createHash } from 'node:crypto'

/**
 * Which names are made, and which triggers a table bears. A database that was made before there were editions is of the
 * first, and is brought to this one by the next start.
 */
export const edition = 2

/**
 * The parts with lines between them. Where a part holds a line itself, others could come to the same: `price` with
 * `delta_key` and `price_delta` with `key`. A hash of the parts then tells them apart, since the second edition.
 */
export function derivedName(parts: readonly string[], of: number = edition): string {
  const joined = parts.join('_')
  if (of < 2 || !parts.some((part) => part.includes('_'))) return joined
  return `${joined}_${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)}`
}
