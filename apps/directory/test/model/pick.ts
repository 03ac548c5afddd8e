/** Picks records and values by position. */
import type { Pick } from './command.ts'
import { invalidIds } from './pool.ts'
import { identityOf, type NounName, type Row, type World } from './world.ts'

/** The element at this position modulo the length. */
export function elementAt<T>(values: readonly T[], n: number): T | undefined {
  return values[n % values.length]
}

/** An ID for a path, as text. */
export function idFor(world: World, noun: NounName, members: readonly Row[], { from, n }: Pick): string {
  if (from === 'odd') return String(elementAt(invalidIds, n))
  const { deletedIds, highestIds, rows } = world
  if (from === 'missing') return String(elementAt([...deletedIds[noun], highestIds[noun] + 1, highestIds[noun] + 7], n))
  const row = elementAt(from === 'any' || members.length === 0 ? rows[noun] : members, n)
  const id = row ? identityOf(noun, row) : 1
  return from === 'padded' ? `00${id}` : String(id)
}
