/** Which fields of a noun live on when its declaration changes, and under which name. */
import type { FieldSchema, NounSchema } from './schema.ts'

/**
 * The name of each kept field, and the one that it bore before. Names are those of columns. A field
 * is renamed where the one that it gives by `.renamedFrom()`, or its own under another column, was there and its own was not. Renames come first, in an order in which no name is ever taken.
 */
export function keptFieldNames(before: NounSchema, after: NounSchema): ReadonlyMap<string, string> {
  const old = new Set(before.fields.map(({ name }) => name))
  const left = new Set(old)
  const kept = new Map<string, string>()
  for (const { name } of after.fields) {
    if (old.has(name)) continue
    for (const [to, from] of renamesFrom(name, left, before, after)) {
      kept.set(to, from)
      left.delete(from)
    }
  }
  for (const { name } of after.fields) if (!kept.has(name) && left.has(name)) kept.set(name, name)
  return kept
}

/** From a name that is new, back to one that is gone: c was b, and b was a. Empty where the last is still in use. */
function renamesFrom(
  name: string,
  left: ReadonlySet<string>,
  before: NounSchema,
  after: NounSchema,
): readonly [string, string][] {
  const renames: [string, string][] = []
  let to = name
  while (true) {
    const now = after.fields.find((field) => field.name === to)
    if (!now) return renames
    const from = originOf(now, before)
    if (from === undefined || !left.has(from) || renames.some(([, seen]) => seen === from)) return []
    renames.push([to, from])
    to = from
  }
}

/** The column of the field that is named by `.renamedFrom()`; else of the same field, which has another column now. */
function originOf({ name, field = name, renamedFrom = field }: FieldSchema, before: NounSchema): string | undefined {
  const origin =
    before.fields.find((old) => (old.field ?? old.name) === renamedFrom) ??
    before.fields.find((old) => old.name === renamedFrom)
  return origin?.name === name ? undefined : origin?.name
}
