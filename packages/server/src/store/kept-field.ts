/** Which fields of a noun live on when its declaration changes, and under which name. */
import type { NounSchema } from './schema.ts'

/**
 * The name of each kept field, and the one that it bore before. A field is renamed where the name that it gives by
 * `.renamedFrom()` was there and its own was not. Renames come first, in an order in which no name is ever taken.
 */
export function keptFields(before: NounSchema, after: NounSchema): ReadonlyMap<string, string> {
  const old = new Set(before.fields.map(({ name }) => name))
  const left = new Set(old)
  const kept = new Map<string, string>()
  for (const { name } of after.fields) {
    if (old.has(name)) continue
    for (const [to, from] of renamesFrom(name, left, after)) {
      kept.set(to, from)
      left.delete(from)
    }
  }
  for (const { name } of after.fields) if (!kept.has(name) && left.has(name)) kept.set(name, name)
  return kept
}

/** From a name that is new, back to one that is gone: c was b, and b was a. Empty where the last is still in use. */
function renamesFrom(name: string, left: ReadonlySet<string>, after: NounSchema): readonly [string, string][] {
  const renames: [string, string][] = []
  let to = name
  while (true) {
    const now = after.fields.find((field) => field.name === to)
    if (!now) return renames
    const from = now.renamedFrom
    if (from === undefined || !left.has(from) || renames.some(([, seen]) => seen === from)) return []
    renames.push([to, from])
    to = from
  }
}
