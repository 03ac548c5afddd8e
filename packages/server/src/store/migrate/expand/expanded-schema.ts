/** Adds a declared schema to that of a database. Everything that the database has is kept. */
import { previousFieldNames } from '../change/field-renames.ts'
import {
  type FieldSchema,
  fieldOf,
  type LinkSchema,
  type NounSchema,
  type Schema,
  type SortedField,
} from '../schema/schema.ts'
import { hasUsableDefault, keptField } from './kept-field.ts'

export function expandedSchema(before: Schema, declared: Schema, keepsDerived: boolean): Schema {
  const mergeTables = <Table extends { readonly name: string }>(
    old: readonly Table[],
    declared: readonly Table[],
    merge: (old: Table, declared: Table) => Table,
  ) => [
    ...declared.map((table) => {
      const oldTable = old.find(({ name }) => name === table.name)
      return oldTable ? merge(oldTable, table) : table
    }),
    ...old.filter(({ name }) => !declared.some((table) => table.name === name)),
  ]
  return {
    nouns: mergeTables(before.nouns, declared.nouns, (old, newNoun) => expandedNoun(old, newNoun, keepsDerived)),
    links: mergeTables(before.links, declared.links, expandedLink),
  }
}

function expandedLink(old: LinkSchema, declared: LinkSchema): LinkSchema {
  return old.history && !declared.history ? { ...declared, history: true } : declared
}

/** Fields are not renamed here: a start rejects that. */
function expandedNoun(old: NounSchema, declared: NounSchema, keepsDerived: boolean): NounSchema {
  // Nomen does not alter an adopted table.
  if (declared.adopted || old.adopted) return declared
  const { partial: _, history: __, historyOwner: ___, historyEntries: ____, ...others } = declared
  const indexes = unionOfSets(declared.indexes ?? [], old.indexes ?? [])
  const expanded: NounSchema = {
    ...others,
    fields: expandedFields(old, declared),
    indexed: union(declared.indexed, old.indexed),
    unique: unionOfSets(declared.unique, old.unique),
    tallies: unionOfSets(declared.tallies, old.tallies),
    ...(indexes.length > 0 && { indexes }),
    ...partialIndexes(old, declared),
    ...mergedHistory(old, declared),
  }
  if (keepsDerived) return { ...expanded, ...mergedDerived(old, declared) }
  return declared.sorted
    ? { ...expanded, sorted: declared.sorted.map((field) => withOldIndex(old.sorted ?? [], field)) }
    : expanded
}

function expandedFields(old: NounSchema, declared: NounSchema): readonly FieldSchema[] {
  const previousNames = previousFieldNames(old, declared)
  const keptFields = old.fields.filter(({ name }) => ![...previousNames.values()].includes(name))
  return [
    ...declared.fields.map((field) => {
      const from = previousNames.get(field.name)
      return from === undefined ? addedField(declared, field) : mergedField(fieldOf(old, from), field)
    }),
    ...keptFields.map((field) => keptField(old, field)),
  ]
}

/** The column has a default, so that versions without the field can create records. */
function addedField(noun: NounSchema, field: FieldSchema): FieldSchema {
  if (hasUsableDefault(noun, field)) return { ...field, columnDefault: true }
  // Other versions cannot copy the value of the other field.
  return field.defaultFrom === undefined || field.nullable ? field : { ...field, nullable: true, hasMergedRules: true }
}

/** The looser of both rules. */
function mergedField(old: FieldSchema, declared: FieldSchema): FieldSchema {
  const isMerged = old.hasMergedRules || old.nullable !== declared.nullable || !isSameSet(old.choices, declared.choices)
  const choices = declared.choices && union(declared.choices, old.choices ?? [])
  return {
    ...declared,
    ...(old.nullable && { nullable: true }),
    ...(choices && { choices }),
    ...(old.previousName !== undefined && { previousName: old.previousName }),
    ...(old.columnDefault && declared.default !== undefined && declared.default !== null && { columnDefault: true }),
    ...(isMerged && { hasMergedRules: true }),
  }
}

/** Derived columns that only one of the versions writes are filled by a trigger. */
function mergedDerived(old: NounSchema, declared: NounSchema): Partial<NounSchema> {
  const searched = union(declared.searched, old.searched)
  const sorted = mergedSort(old.sorted ?? [], declared.sorted ?? [])
  const isInBoth = (name: string) => old.searched.includes(name) && declared.searched.includes(name)
  const areInBoth =
    searched.every(isInBoth) &&
    sorted.every(({ name }) => [old, declared].every(({ sorted: fields }) => hasSort(fields, name)))
  const unaccented = searched.filter((name) =>
    (declared.searched.includes(name) ? declared : old).unaccented?.includes(name),
  )
  return {
    searched,
    ...(unaccented.length > 0 && { unaccented }),
    ...(sorted.length > 0 && { sorted }),
    ...((old.deriveTrigger || !areInBoth) && { deriveTrigger: true }),
  }
}

function hasSort(sorted: readonly SortedField[] | undefined, name: string): boolean {
  return sorted?.some((field) => field.name === name) === true
}

function mergedSort(old: readonly SortedField[], declared: readonly SortedField[]): readonly SortedField[] {
  return [
    ...declared.map((field) => {
      const oldField = old.find(({ name }) => name === field.name)
      if (!oldField) return field
      return { ...withOldIndex(old, field), edition: Math.max(oldField.edition, field.edition) }
    }),
    ...old.filter(({ name }) => !hasSort(declared, name)),
  ]
}

function withOldIndex(old: readonly SortedField[], field: SortedField): SortedField {
  const hadIndex = old.some((oldField) => oldField.name === field.name && oldField.isIndexed)
  return hadIndex ? { ...field, isIndexed: true } : field
}

function partialIndexes(old: NounSchema, declared: NounSchema): Partial<NounSchema> {
  const added = declared.partial?.filter((name) => !old.indexed.includes(name)) ?? []
  const partial = union(old.partial ?? [], added)
  return partial.length > 0 ? { partial } : {}
}

/** Everything that one of the versions records. */
function mergedHistory(old: NounSchema, declared: NounSchema): Partial<NounSchema> {
  const recording = [old, declared].filter((noun) => noun.history)
  if (recording.length === 0) return {}
  const historyOwner = old.historyOwner ?? declared.historyOwner
  const historyEntries = Math.max(...recording.map((noun) => noun.historyEntries ?? Number.POSITIVE_INFINITY))
  return {
    history: true,
    ...(historyOwner !== undefined && { historyOwner }),
    ...(Number.isFinite(historyEntries) && { historyEntries }),
  }
}

function union(first: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...first, ...more])]
}

function unionOfSets(
  first: readonly (readonly string[])[],
  more: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  return [...new Map([...first, ...more].map((set) => [set.join(), set])).values()]
}

function isSameSet(first: readonly string[] = [], second: readonly string[] = []): boolean {
  return union(first, second).length === first.length && first.length === second.length
}
