/** The columns of a list: the fields of all its variants, and the variant that has those that are shown. */
import { entryColumns, isHistory } from '../history/history.ts'
import type { Field } from '../record/field.ts'
import { labelFields } from '../record/label.ts'
import type { Collection, Service, Variant } from '../service/service.ts'

/** Columns of history entries that are hidden at first: the page of an entry shows them better. */
const hiddenInHistory = ['noun', 'linked', 'before', 'after', 'request', 'transaction']

/** The fields of the display name, of which the first one links to the record; the identity if there are none. */
export function leadingNames(service: Service, collection: Collection, columns: readonly Field[]): readonly string[] {
  const names = columns.map(({ name }) => name)
  const label = labelFields(service, collection).filter((name) => names.includes(name))
  const [first] = names
  if (label.length > 0) return label
  if (names.includes(collection.identity)) return [collection.identity]
  return first === undefined ? [] : [first]
}

/** The display name first, the identity last. */
function sortColumns(service: Service, collection: Collection, columns: readonly Field[]): readonly Field[] {
  if (isHistory(collection)) return entryColumns(columns)
  const leading = leadingNames(service, collection, columns)
  const position = ({ name }: Field) =>
    leading.includes(name) ? leading.indexOf(name) - leading.length : name === collection.identity ? 1 : 0
  return columns.toSorted((a, b) => position(a) - position(b))
}

/** All columns that a variant of the list has. The richest variant decides the order and the form of a column. */
export function allColumns(service: Service, collection: Collection): readonly Field[] {
  const variants = collection.variants.toSorted((a, b) => b.columns.length - a.columns.length)
  const columns = new Map<string, Field>()
  for (const field of variants.flatMap((variant) => variant.columns))
    if (!columns.has(field.name)) columns.set(field.name, field)
  return sortColumns(service, collection, [...columns.values()])
}

/** The names of the columns that a variant shows at first. */
export function initialNames(service: Service, collection: Collection, variant: Variant): readonly string[] {
  const hidden = isHistory(collection) ? hiddenInHistory : []
  return sortColumns(service, collection, variant.columns).flatMap(({ name }) => (hidden.includes(name) ? [] : [name]))
}

/** The variant with the fewest columns that has all of these; without one, the variant that has the most of them. */
export function cheapestVariant({ variants }: Collection, names: readonly string[]): Variant | undefined {
  const matchCount = ({ columns }: Variant) => columns.filter(({ name }) => names.includes(name)).length
  const maxCount = Math.max(0, ...variants.map(matchCount))
  return variants
    .filter((variant) => matchCount(variant) === maxCount)
    .toSorted((a, b) => a.columns.length - b.columns.length)[0]
}
