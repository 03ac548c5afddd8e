/** Derived names: those of indexes, triggers and tallies. */
import { createHash } from 'node:crypto'

/**
 * Joins the parts with underscores. If a part contains an underscore, different parts could give the same name, such as
 * `price` with `delta_key` and `price_delta` with `key`. A hash of the parts keeps them apart.
 */
export function derivedName(names: readonly string[]): string {
  const joined = names.join('_')
  if (!names.some((name) => name.includes('_'))) return joined
  return `${joined}_${createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 16)}`
}
