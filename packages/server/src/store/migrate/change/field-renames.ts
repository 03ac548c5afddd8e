/** The fields that a noun keeps when its declaration changes, and their old names. */
import type { FieldSchema, NounSchema } from '../schema/schema.ts'

/**
 * The new column name of each kept field, with its old one. A field is renamed if its name is new and the field that
 * `.renamedFrom()` names, or the same field under another column, existed before. Renames come first, ordered so that
 * no name is in use when it is assigned.
 */
export function previousFieldNames(before: NounSchema, after: NounSchema): ReadonlyMap<string, string> {
  const oldNames = new Set(before.fields.map(({ name }) => name))
  const remaining = new Set(oldNames)
  const previousNames = new Map<string, string>()
  for (const { name } of after.fields) {
    if (oldNames.has(name)) continue
    for (const [to, from] of renamesFrom(name, remaining, before, after)) {
      previousNames.set(to, from)
      remaining.delete(from)
    }
  }
  for (const { name } of after.fields)
    if (!previousNames.has(name) && remaining.has(name)) previousNames.set(name, name)
  return previousNames
}

/** Follows renames from a new name back to a dropped one: c was b, and b was a. Empty if the last one is still in use. */
function renamesFrom(
  name: string,
  remaining: ReadonlySet<string>,
  before: NounSchema,
  after: NounSchema,
): readonly [string, string][] {
  const renames: [string, string][] = []
  let to = name
  while (true) {
    const field = after.fields.find((candidate) => candidate.name === to)
    if (!field) return renames
    const from = originOf(field, before)
    if (from === undefined || !remaining.has(from) || renames.some(([, earlier]) => earlier === from)) return []
    renames.push([to, from])
    to = from
  }
}

/** The column of the field that `.renamedFrom()` names; otherwise of the same field under another column. */
function originOf({ name, field = name, renamedFrom = field }: FieldSchema, before: NounSchema): string | undefined {
  const origin =
    before.fields.find((old) => (old.field ?? old.name) === renamedFrom) ??
    before.fields.find((old) => old.name === renamedFrom)
  return origin?.name === name ? undefined : origin?.name
}
