/** Derived names: those of indexes, triggers and tallies. */
import { createHash } from 'node:crypto'

/**
 * Joins the parts with underscores. If a part contains an underscore, different parts could give the same name, such as
 * `price` with `delta_key` and `price_delta` with `key`. A hash of the parts keeps them apart.
 */
export function derivedName(parts: readonly string[]): string {
  const joined = parts.join('_')
  if (!parts.some((part) => part.includes('_'))) return joined
  return `${joined}_${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)}`
}
