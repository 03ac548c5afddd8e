/** Picks records and values by position. */
import type { Pick } from './command.ts'
import { oddIds } from './pool.ts'
import { identityOf, type NounName, type Row, type World } from './world.ts'

/** The element at that position, counted round and round. */
export function at<T>(values: readonly T[], n: number): T | undefined {
  return values[n % values.length]
}

/** An identity as it stands in a path. */
export function idFor(world: World, noun: NounName, members: readonly Row[], { from, n }: Pick): string {
  if (from === 'odd') return String(at(oddIds, n))
  const { gone, highest, rows } = world
  if (from === 'missing') return String(at([...gone[noun], highest[noun] + 1, highest[noun] + 7], n))
  const row = at(from === 'any' || members.length === 0 ? rows[noun] : members, n)
  const id = row ? identityOf(noun, row) : 1
  return from === 'padded' ? `00${id}` : String(id)
}
