/** The changes of sort orders, and of searches that ignore accents, between two schemas. */

import { declaredName, derivedSchemas, fieldOf, type NounSchema, type SortedField } from '../schema/schema.ts'
import { type Change, safe, unsafe } from './change.ts'

const otherForm = 'Running instances of another version still write its search and sort columns in the previous form.'
const stopFirst = 'Stop those instances first.'

/** The trigger for derived columns that other versions do not write. It comes with the first such column. */
export function* deriveTriggerChange(before: NounSchema, after: NounSchema): Generator<Change> {
  const nounName = declaredName(after)
  const names = ({ name }: { readonly name: string }) => name
  const hasMore = derivedSchemas(after).some(({ name }) => !derivedSchemas(before).map(names).includes(name))
  if (after.deriveTrigger && !before.deriveTrigger && !hasMore)
    yield safe(
      'add-derive-trigger',
      after.name,
      `add a trigger that fills the search and sort columns of "${nounName}"`,
    )
  if (before.deriveTrigger && !after.deriveTrigger)
    yield safe(
      'drop-derive-trigger',
      after.name,
      `drop the trigger that fills the search and sort columns of "${nounName}"`,
    )
}

/** Changes of fields that were searched before. A field that becomes searchable brings its own form of search. */
export function* accentChanges(
  before: NounSchema,
  after: NounSchema,
  previousNames: ReadonlyMap<string, string>,
): Generator<Change> {
  const { unaccented: oldFields = [] } = before
  const { unaccented: newFields = [] } = after
  for (const name of after.searched) {
    const oldName = previousNames.get(name) ?? ''
    if (!before.searched.includes(oldName) || oldFields.includes(oldName) === newFields.includes(name)) continue
    const form = newFields.includes(name) ? 'accent-insensitive' : 'accent-sensitive'
    const field = `"${declaredName(fieldOf(after, name))}" of "${declaredName(after)}"`
    yield unsafe('change-search', after.name, `make the search of ${field} ${form}`, otherForm, stopFirst)
  }
}

/** `previousNames` has the old name of each field that existed before. A field that is added or dropped brings its own sort order. */
export function* sortChanges(
  before: NounSchema,
  after: NounSchema,
  previousNames: ReadonlyMap<string, string>,
): Generator<Change> {
  const { sorted: oldFields = [] } = before
  const { sorted: newFields = [] } = after
  for (const name of previousNames.keys()) {
    const field = `"${declaredName(fieldOf(after, name))}" of "${declaredName(after)}"`
    const oldSort = oldFields.find((sorted) => sorted.name === previousNames.get(name))
    const newSort = newFields.find((sorted) => sorted.name === name)
    if (oldSort && newSort) yield* changedSort(after.name, field, oldSort, newSort)
    else if (newSort) yield safe('add-sort', after.name, `sort ${field} by the collation "${newSort.collation}"`)
    else if (oldSort) yield safe('drop-sort', after.name, `sort ${field} by code point`)
  }
}

function* changedSort(table: string, field: string, oldSort: SortedField, newSort: SortedField): Generator<Change> {
  if (oldSort.collation !== newSort.collation) {
    const sentence = `sort ${field} by the collation "${newSort.collation}" instead of "${oldSort.collation}"`
    yield unsafe('change-sort', table, sentence, otherForm, stopFirst)
  }
  if (oldSort.collation === newSort.collation && oldSort.edition !== newSort.edition)
    yield safe('change-sort', table, `compute the sort keys of ${field} again`)
  if (newSort.isIndexed && !oldSort.isIndexed)
    yield safe('add-index', table, `add an index on the sort order of ${field}`)
  if (oldSort.isIndexed && !newSort.isIndexed)
    yield safe('drop-index', table, `drop the index on the sort order of ${field}`)
}
