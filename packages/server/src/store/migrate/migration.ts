/** The migration: the changes that lead from one schema to another, whatever the database. */
import { type Change, safe, unsafe } from './change.ts'
import { addedField, fieldChanges } from './field-change.ts'
import { keptFieldNames } from './field-renames.ts'
import {
  checkIndexNames,
  declaredName,
  fieldOf,
  type LinkSchema,
  type NounSchema,
  noTables,
  nounOf,
  pairColumns,
  type Schema,
} from './schema.ts'

/** Without a schema before, the database is empty and everything is added. */
export function migrationOf(before: Schema | undefined, after: Schema): readonly Change[] {
  checkIndexNames(after)
  const old = before ?? noTables
  return [...nounChanges(old, after), ...linkChanges(old, after)]
}

function* nounChanges(before: Schema, after: Schema): Generator<Change> {
  for (const noun of after.nouns) {
    const old = before.nouns.find(({ name }) => name === noun.name)
    if (old?.adopted) yield* adoptedChanges(old, noun)
    else if (old) yield* changesOf(old, noun)
    else if (noun.adopted)
      yield safe('adopt-noun', noun.name, `adopt the table "${noun.name}" as "${declaredName(noun)}"`)
    else yield safe('add-noun', noun.name, `add noun "${declaredName(noun)}"`)
  }
  for (const old of before.nouns) {
    const { name } = old
    if (after.nouns.some((noun) => noun.name === name)) continue
    if (old.adopted) {
      const [reason, fix] = ['The versions of its records would be lost.', 'Its records stay as they are.']
      yield unsafe('release-noun', name, `let go of the table "${name}"`, reason, fix)
    } else
      yield unsafe(
        'drop-noun',
        name,
        `drop noun "${declaredName(old)}"`,
        'All its records would be lost.',
        'Declare the noun again to keep them.',
      )
  }
}

function* linkChanges(before: Schema, after: Schema): Generator<Change> {
  for (const link of after.links) {
    const old = before.links.find(({ name }) => name === link.name)
    if (old) yield* sharingChanges(old, link, after)
    if (!old && link.adopted) yield safe('adopt-link', link.name, `adopt the table "${link.name}" as pairs`)
    else if (!old) yield safe('add-link', link.name, `add link "${link.name}"`)
    else if (columns(old, before) === columns(link, after)) continue
    else if (pairRenames(old, before, link, after).length > 0) {
      const [from, to] = [pairColumns(old), pairColumns(link)].map((names) => names.join(' and '))
      yield safe('rename-link', link.name, `rename the columns of link "${link.name}" from ${from} to ${to}`)
    } else {
      const reason = 'The identities that it holds are of another kind now.'
      yield unsafe('retype-link', link.name, `change the nouns of link "${link.name}"`, reason)
    }
  }
  for (const { name, adopted } of before.links) {
    if (after.links.some((link) => link.name === name)) continue
    if (adopted) yield safe('release-link', name, `let go of the table "${name}"`)
    else
      yield unsafe(
        'drop-link',
        name,
        `drop link "${name}"`,
        'All its pairs would be lost.',
        'Declare the link again to keep them.',
      )
  }
}

/** Nothing but what pairs there may be: those that are there are looked at, and no table changes. */
function* sharingChanges(old: LinkSchema, link: LinkSchema, after: Schema): Generator<Change> {
  if (JSON.stringify(old.sharing) === JSON.stringify(link.sharing)) return
  const shared = link.sharing && namesOf(nounOf(after, link.nouns[0]), link.sharing.slice(0, 1))
  const sentence = shared ? `link only what shares ${shared}` : 'link also what shares nothing'
  yield safe('share-link', link.name, `${sentence} by "${link.name}"`)
}

/** From and to, where a link holds the same pairs under other names; empty where that is not all, or the table not ours. */
export function pairRenames(
  old: LinkSchema,
  before: Schema,
  link: LinkSchema,
  after: Schema,
): readonly (readonly [string, string])[] {
  const [from, to] = [pairColumns(old), pairColumns(link)]
  const renames = [0, 1].flatMap((at) => (from[at] === to[at] ? [] : [[from[at] ?? '', to[at] ?? ''] as const]))
  const isTaken = renames.some(([, name]) => from.some((other) => other.toLowerCase() === name.toLowerCase()))
  return !old.adopted && !isTaken && identitiesOf(old, before) === identitiesOf(link, after) ? renames : []
}

function columns(link: LinkSchema, schema: Schema): string {
  return JSON.stringify([identitiesOf(link, schema), pairColumns(link)])
}

function identitiesOf(link: LinkSchema, schema: Schema): string {
  const isGuid = (noun: NounSchema) => fieldOf(noun, noun.identity).guid === true
  return JSON.stringify(link.nouns.map((name) => [name, isGuid(nounOf(schema, name))]))
}

/** Where what was compared with the table is declared otherwise, it must be compared again. */
function* adoptedChanges(before: NounSchema, after: NounSchema): Generator<Change> {
  if (comparedOf(before) === comparedOf(after)) {
    yield* tallyChanges(before, after, new Map(after.fields.map(({ name }) => [name, name])))
    return
  }
  const sentence = `compare "${declaredName(after)}", which is declared otherwise now, with its table "${after.name}"`
  const reason = 'The table was there before, and its form is left as it is.'
  yield unsafe('readopt-noun', after.name, sentence, reason, 'Compare them with: nomen migrate --adopt')
}

function comparedOf({ identity, fields, unique, searched }: NounSchema): string {
  const compared = fields.map(
    ({ field: _field, default: _default, defaultFrom: _from, renamedFrom: _, ...rest }) => rest,
  )
  return JSON.stringify([identity, compared, unique, searched])
}

function* changesOf(before: NounSchema, after: NounSchema): Generator<Change> {
  const kept = keptFieldNames(before, after)
  for (const field of after.fields) {
    const from = kept.get(field.name)
    if (from === undefined) yield addedField(after, field)
    else yield* fieldChanges(after, fieldOf(before, from), field)
  }
  yield* setChanges(before, after, kept)
  const gone = before.fields.filter(({ name }) => ![...kept.values()].includes(name))
  for (const field of gone) {
    const name = declaredName(field)
    const fix = `Where it only bears another name now, say so on the new field: .renamedFrom('${name}').`
    const sentence = `drop field "${name}" of "${declaredName(after)}"`
    yield unsafe('drop-field', after.name, sentence, 'Its values would be lost.', fix)
  }
}

/** What exists for a set of fields: indexes, search, tallies, uniqueness. A field that comes or goes takes its own along. */
function* setChanges(before: NounSchema, after: NounSchema, kept: ReadonlyMap<string, string>): Generator<Change> {
  const { name: noun } = after
  const called = declaredName(after)
  const named = (set: readonly string[]) => namesOf(after, set)
  const single = (names: readonly string[]) => names.map((name) => [name])
  const index = differences(single(before.indexed), single(after.indexed), kept)
  for (const set of index.added) yield safe('add-index', noun, `add an index on ${named(set)} of "${called}"`)
  for (const set of index.dropped) yield safe('drop-index', noun, `drop the index on ${named(set)} of "${called}"`)
  const search = differences(single(before.searched), single(after.searched), kept)
  for (const set of search.added) yield safe('add-search', noun, `make ${named(set)} of "${called}" searchable`)
  for (const set of search.dropped)
    yield safe('drop-search', noun, `make ${named(set)} of "${called}" no longer searchable`)
  yield* tallyChanges(before, after, kept)
  const unique = differences(before.unique, after.unique, kept)
  for (const set of unique.added) yield safe('add-unique', noun, `make ${named(set)} of "${called}" unique`)
  for (const set of unique.dropped)
    yield safe('drop-unique', noun, `make ${named(set)} of "${called}" no longer unique`)
}

function* tallyChanges(before: NounSchema, after: NounSchema, kept: ReadonlyMap<string, string>): Generator<Change> {
  const called = declaredName(after)
  if (before.edition !== after.edition) yield safe('renew-tally', after.name, `renew what keeps count of "${called}"`)
  const by = (set: readonly string[]) => (set.length === 0 ? '' : ` by ${namesOf(after, set)}`)
  const { added, dropped } = differences(before.tallies ?? [], after.tallies ?? [], kept)
  for (const set of added) yield safe('add-tally', after.name, `keep count of "${called}"${by(set)}`)
  for (const set of dropped) yield safe('drop-tally', after.name, `no longer keep count of "${called}"${by(set)}`)
}

function differences(
  old: readonly (readonly string[])[],
  fresh: readonly (readonly string[])[],
  kept: ReadonlyMap<string, string>,
) {
  const now = new Map([...kept].map(([to, from]) => [from, to]))
  const renamed = old.map((set) => set.map((name) => now.get(name) ?? ''))
  const isOfKept = (set: readonly string[]) => set.length > 1 || set.every((name) => kept.has(name))
  return { added: without(fresh, renamed).filter(isOfKept), dropped: without(renamed, fresh).filter(isOfKept) }
}

function without(
  sets: readonly (readonly string[])[],
  others: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  return sets.filter((set) => !others.some((other) => other.join() === set.join()))
}

function namesOf(noun: NounSchema, columns: readonly string[]): string {
  const nameOf = (column: string) => {
    const field = noun.fields.find(({ name }) => name === column)
    return field ? `"${declaredName(field)}"` : 'a dropped field'
  }
  return columns.map(nameOf).join(' with ')
}
