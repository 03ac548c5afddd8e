/** The migration: the changes from one schema to another, for both databases. */
import { type Change, safe, unsafe } from './change/change.ts'
import { accentChanges, deriveTriggerChange, sortChanges } from './change/derived-column.ts'
import { addedField, fieldChanges } from './change/field.ts'
import { previousFieldNames } from './change/field-renames.ts'
import { checkIndexNames, checkReferenceDefaults } from './schema/check.ts'
import {
  declaredName,
  fieldOf,
  hasGuidIdentity,
  type LinkSchema,
  type NounSchema,
  noTables,
  nounOf,
  pairColumns,
  type Schema,
} from './schema/schema.ts'

/** Without a schema before, the database is empty and every table is added. */
export function migrationOf(before: Schema | undefined, after: Schema): readonly Change[] {
  checkIndexNames(after)
  checkReferenceDefaults(after)
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
      const [reason, fix] = [
        'The ETag versions that Nomen stores for it would be lost.',
        'The table and its records are kept.',
      ]
      yield unsafe('release-noun', name, `stop using the table "${name}"`, reason, fix)
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
    if (!old && link.adopted) yield safe('adopt-link', link.name, `adopt the table "${link.name}" for the link`)
    else if (!old) yield safe('add-link', link.name, `add link "${link.name}"`)
    else if (columnsKey(old, before) === columnsKey(link, after)) continue
    else if (pairRenames(old, before, link, after).length > 0) {
      const [from, to] = [pairColumns(old), pairColumns(link)].map((names) => names.join(' and '))
      const sentence = `rename the columns of link "${link.name}" from ${from} to ${to}`
      const reason = 'Running instances of another version still use the previous names.'
      yield unsafe('rename-link', link.name, sentence, reason, 'Keep the columns, or stop those instances first.')
    } else {
      const reason = 'The IDs in this link now have a different type.'
      yield unsafe('retype-link', link.name, `change the nouns of link "${link.name}"`, reason)
    }
  }
  for (const { name, adopted } of before.links) {
    if (after.links.some((link) => link.name === name)) continue
    if (adopted) yield safe('release-link', name, `stop using the table "${name}" (the table and its rows are kept)`)
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

/** Changes which pairs are allowed. Existing pairs are checked; the table does not change. */
function* sharingChanges(old: LinkSchema, link: LinkSchema, after: Schema): Generator<Change> {
  if (JSON.stringify(old.sharing) === JSON.stringify(link.sharing)) return
  const shared = link.sharing && namesOf(nounOf(after, link.nouns[0]), link.sharing.slice(0, 1))
  const sentence = shared
    ? `require the same ${shared} on both sides of link "${link.name}"`
    : `no longer require the same value on both sides of link "${link.name}"`
  yield safe('share-link', link.name, sentence)
}

/** Old and new column names of a link with the same pairs. Empty if more than names differ, or if the table is adopted. */
export function pairRenames(
  old: LinkSchema,
  before: Schema,
  link: LinkSchema,
  after: Schema,
): readonly (readonly [string, string])[] {
  const [from, to] = [pairColumns(old), pairColumns(link)]
  const renames = [0, 1].flatMap((index) =>
    from[index] === to[index] ? [] : [[from[index] ?? '', to[index] ?? ''] as const],
  )
  const isNameUsed = renames.some(([, name]) => from.some((column) => column.toLowerCase() === name.toLowerCase()))
  return !old.adopted && !isNameUsed && identitiesOf(old, before) === identitiesOf(link, after) ? renames : []
}

function columnsKey(link: LinkSchema, schema: Schema): string {
  return JSON.stringify([identitiesOf(link, schema), pairColumns(link)])
}

function identitiesOf(link: LinkSchema, schema: Schema): string {
  return JSON.stringify(link.nouns.map((name) => [name, hasGuidIdentity(nounOf(schema, name))]))
}

/** An adopted table must be compared again if a declared part of it has changed. */
function* adoptedChanges(before: NounSchema, after: NounSchema): Generator<Change> {
  if (comparedParts(before) === comparedParts(after)) {
    yield* tallyChanges(before, after, new Map(after.fields.map(({ name }) => [name, name])))
    yield* historyChange(before, after)
    return
  }
  const sentence = `compare the changed declaration of "${declaredName(after)}" with its table "${after.name}"`
  const reason = 'The table is adopted, so Nomen does not alter it.'
  yield unsafe('readopt-noun', after.name, sentence, reason, 'To compare them, run: nomen migrate --adopt')
}

function comparedParts({ identity, fields, unique, searched, sorted }: NounSchema): string {
  const comparedFields = fields.map(
    ({ field: _field, default: _default, defaultFrom: _from, renamedFrom: _, isShort: _isShort, ...compared }) =>
      compared,
  )
  return JSON.stringify([identity, comparedFields, unique, searched, sorted])
}

function* changesOf(before: NounSchema, after: NounSchema): Generator<Change> {
  const previousNames = previousFieldNames(before, after)
  for (const field of after.fields) {
    const from = previousNames.get(field.name)
    if (from === undefined) yield addedField(before, after, field)
    else yield* fieldChanges(after, fieldOf(before, from), field)
  }
  yield* setChanges(before, after, previousNames)
  const dropped = before.fields.filter(({ name }) => ![...previousNames.values()].includes(name))
  for (const field of dropped) {
    const name = declaredName(field)
    const fix = `If it was renamed, add .renamedFrom('${name}') to the new field.`
    const sentence = `drop field "${name}" of "${declaredName(after)}"`
    yield { ...unsafe('drop-field', after.name, sentence, 'Its values would be lost.', fix), field: field.name }
  }
}

/** Changes of indexes, search, sort, tallies and uniqueness. A field that is added or dropped brings its own single-field set. */
function* setChanges(
  before: NounSchema,
  after: NounSchema,
  previousNames: ReadonlyMap<string, string>,
): Generator<Change> {
  const { name: noun } = after
  const nounName = declaredName(after)
  const named = (set: readonly string[]) => namesOf(after, set)
  const asSets = (names: readonly string[]) => names.map((name) => [name])
  const indexes = ({ indexed, indexes = [] }: NounSchema) => [...asSets(indexed), ...indexes]
  const index = differences(indexes(before), indexes(after), previousNames)
  for (const set of index.added) yield safe('add-index', noun, `add an index on ${named(set)} of "${nounName}"`)
  for (const set of index.dropped) yield safe('drop-index', noun, `drop the index on ${named(set)} of "${nounName}"`)
  if (after.recordNames && !before.recordNames)
    yield safe('add-index', noun, `rebuild the indexes on ${named(after.recordNames)} of "${nounName}"`)
  const search = differences(asSets(before.searched), asSets(after.searched), previousNames)
  for (const set of search.added) yield safe('add-search', noun, `make ${named(set)} of "${nounName}" searchable`)
  for (const set of search.dropped)
    yield safe('drop-search', noun, `remove ${named(set)} of "${nounName}" from the search`)
  yield* accentChanges(before, after, previousNames)
  yield* deriveTriggerChange(before, after)
  yield* sortChanges(before, after, previousNames)
  yield* tallyChanges(before, after, previousNames)
  yield* historyChange(before, after)
  const unique = differences(before.unique, after.unique, previousNames)
  for (const set of unique.added) yield safe('add-unique', noun, `make ${named(set)} of "${nounName}" unique`)
  for (const set of unique.dropped)
    yield safe('drop-unique', noun, `remove the unique constraint on ${named(set)} of "${nounName}"`)
  if (before.pending && !after.pending)
    yield safe('finish-table', noun, `complete the unfinished indexes and search columns of "${nounName}"`)
}

function* tallyChanges(
  before: NounSchema,
  after: NounSchema,
  previousNames: ReadonlyMap<string, string>,
): Generator<Change> {
  const nounName = declaredName(after)
  const columnsText = (set: readonly string[]) => (set.length === 0 ? '' : ` by ${namesOf(after, set)}`)
  if (after.blocks && !before.blocks) yield safe('add-tally', after.name, `add stored page offsets for "${nounName}"`)
  const { added, dropped } = differences(before.tallies, after.tallies, previousNames)
  for (const set of added) yield safe('add-tally', after.name, `add stored totals for "${nounName}"${columnsText(set)}`)
  for (const set of dropped)
    yield safe('drop-tally', after.name, `drop the stored totals for "${nounName}"${columnsText(set)}`)
}

function* historyChange(before: NounSchema, after: NounSchema): Generator<Change> {
  const nounName = declaredName(after)
  if (after.history && !before.history) yield safe('add-history', after.name, `record the history of "${nounName}"`)
  if (before.history && !after.history)
    yield safe('drop-history', after.name, `stop recording the history of "${nounName}" (its entries are kept)`)
  if (before.history && after.history && before.historyOwner !== after.historyOwner)
    yield safe('add-history', after.name, `record the owner in the history of "${nounName}"`)
  if (before.history && after.history && before.historyEntries !== after.historyEntries)
    yield safe('add-history', after.name, `change the number of history entries of "${nounName}"`)
}

function differences(
  oldSets: readonly (readonly string[])[],
  newSets: readonly (readonly string[])[],
  previousNames: ReadonlyMap<string, string>,
) {
  const newNames = new Map([...previousNames].map(([to, from]) => [from, to]))
  const renamed = oldSets.map((set) => set.map((name) => newNames.get(name) ?? ''))
  const hasPreviousNames = (set: readonly string[]) => set.length > 1 || set.every((name) => previousNames.has(name))
  return {
    added: setsNotIn(newSets, renamed).filter(hasPreviousNames),
    dropped: setsNotIn(renamed, newSets).filter(hasPreviousNames),
  }
}

function setsNotIn(
  sets: readonly (readonly string[])[],
  others: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  return sets.filter((set) => !others.some((other) => other.join() === set.join()))
}

function namesOf(noun: NounSchema, columnsKey: readonly string[]): string {
  const nameOf = (column: string) => {
    const field = noun.fields.find(({ name }) => name === column)
    return field ? `"${declaredName(field)}"` : 'a dropped field'
  }
  return columnsKey.map(nameOf).join(' with ')
}
