/** The database schema of a model, as plain data that can be stored and compared. */
import type { Collation, FieldKind, Value } from '@nomen/core'
import { foldedName, sortKeyName } from '../../stored-name.ts'
import { type Derivation, foldDerivation, sortDerivation } from '../../text/derived-column.ts'
import { derivedName } from './derived-name.ts'

export interface Schema {
  readonly nouns: readonly NounSchema[]
  readonly links: readonly LinkSchema[]
}

/** The schema of an empty database. */
export const noTables: Schema = { nouns: [], links: [] }

/** The table of a noun. Names are those of the database. */
export interface NounSchema {
  readonly name: string
  /** The declared name, if it differs from the table's name. */
  readonly noun?: string
  readonly identity: string
  readonly fields: readonly FieldSchema[]
  /** Fields with an index of their own, in addition to unique indexes. */
  readonly indexed: readonly string[]
  /** Sets of two or more fields with a composite index; absent if there are none. */
  readonly indexes?: readonly (readonly string[])[]
  /** Indexed fields whose index leaves out null (a partial index); absent if there are none. */
  readonly partial?: readonly string[]
  readonly searched: readonly string[]
  /** Searched fields whose accents are ignored; absent if there are none. */
  readonly unaccented?: readonly string[]
  /** Fields that are sorted by a collation; absent if there are none. */
  readonly sorted?: readonly SortedField[]
  /** Sets of fields that records are counted by. */
  readonly tallies: readonly (readonly string[])[]
  /** Whether the table has the history entries, which are counted in blocks of IDs in the background. */
  readonly blocks?: true
  /**
   * Columns of history entries that name the record, and a linked one. The index of the second column also contains the
   * first one.
   */
  readonly recordNames?: readonly string[]
  /** Sets of one or more fields whose values must be unique. */
  readonly unique: readonly (readonly string[])[]
  /** Whether changes of its records are recorded. */
  readonly history?: true
  /** The reference to the owner of a recorded record, which its history entries name. */
  readonly historyOwner?: string
  /** The number of entries that are kept for each record; absent if there is no limit. */
  readonly historyEntries?: number
  /** Whether a trigger fills the search and sort columns that other versions of the service do not write. */
  readonly deriveTrigger?: true
  /** Whether indexes and derived columns of a migration are still being built. */
  readonly pending?: true
  /** Whether the table is adopted: another program uses it too, so Nomen does not alter it. */
  readonly adopted?: true
}

/** A field with sort keys in a column of their own. */
export interface SortedField {
  readonly name: string
  readonly collation: Collation
  /** The version of the keys, `sortKeyVersion`. The snapshots of databases contain this name. */
  readonly edition: number
  /** Whether the keys have an index. */
  readonly isIndexed: boolean
}

export interface FieldSchema {
  readonly name: string
  /** The declared name, if it differs from the column's name. */
  readonly field?: string
  readonly kind: FieldKind
  readonly nullable?: true
  /** Whether an identity, or the target of a reference, is a guid. */
  readonly guid?: true
  readonly scale?: number
  readonly choices?: readonly string[]
  /** The table that a reference points at. */
  readonly target?: string
  readonly default?: Value
  readonly defaultFrom?: string
  /** Whether the column itself has a default. */
  readonly databaseDefault?: true
  readonly limits?: Limits
  /** Whether an index contains the whole text or URL; absent if it contains prefixes on PostgreSQL. */
  readonly isShort?: true
  /** Whether the column has the field's default, for versions of the service without the field. */
  readonly columnDefault?: true
  /** Whether versions of the service with other rules have used the field since the last contraction. */
  readonly hasMergedRules?: true
  /** The name of the column before it was renamed. */
  readonly previousName?: string
  /** The old field or column, used when schemas are compared; not part of a snapshot. */
  readonly renamedFrom?: string
}

export interface Limits {
  readonly min?: number | string
  readonly max?: number | string
  readonly minLength?: number
  readonly maxLength?: number
  readonly precision?: number
}

export interface LinkSchema {
  readonly name: string
  /** The tables of the nouns. */
  readonly nouns: readonly [string, string]
  /** The columns, if they differ from the names of the tables. */
  readonly columns?: readonly [string, string]
  /** The references that must have the same value in both records of a pair, as columns of the two tables. */
  readonly sharing?: readonly [string, string]
  /** Whether changes of its pairs are recorded. */
  readonly history?: true
  readonly adopted?: true
}

/** The noun of a table, which must exist. */
export function nounOf(schema: Schema, name: string): NounSchema {
  const noun = schema.nouns.find((candidate) => candidate.name === name)
  if (!noun) throw new Error(`The schema has no noun "${name}".`)
  return noun
}

/** The link of a table, which must exist. */
export function linkOf(schema: Schema, name: string): LinkSchema {
  const link = schema.links.find((candidate) => candidate.name === name)
  if (!link) throw new Error(`The schema has no link "${name}".`)
  return link
}

/** The field of a column, which must exist. */
export function fieldOf(noun: NounSchema, name: string): FieldSchema {
  const field = noun.fields.find((candidate) => candidate.name === name)
  if (!field) throw new Error(`The schema of "${noun.name}" has no field "${name}".`)
  return field
}

/** Whether the identity of a noun is a guid. */
export function hasGuidIdentity(noun: NounSchema): boolean {
  return fieldOf(noun, noun.identity).guid === true
}

/**
 * Further columns in an index. The index of a reference also contains the choices and booleans that lists filter by. So the
 * records of one parent in one state, and the history entries of a record, are counted by an index-only scan.
 */
export function companionsOf(noun: NounSchema, [field = '', ...others]: readonly string[]): readonly string[] {
  if (others.length > 0) return []
  const [record, linked] = noun.recordNames ?? []
  if (record !== undefined && field === linked) return [record]
  if (fieldOf(noun, field).kind !== 'reference') return []
  return noun.tallies.filter((set) => set.length === 1).flat()
}

/** A column that Nomen derives from another column. */
export interface DerivedSchema {
  readonly name: string
  readonly from: string
  readonly derivation: Derivation
}

/** The derived columns of a table. */
export function derivedSchemas({ searched, unaccented = [], sorted = [] }: NounSchema): readonly DerivedSchema[] {
  return [
    ...searched.map((name) => {
      const derivation = foldDerivation(unaccented.includes(name) ? 'accent-insensitive' : undefined)
      return { name: foldedName(name), from: name, derivation }
    }),
    ...sorted.map(({ name, collation, edition }) => {
      return { name: sortKeyName(name), from: name, derivation: sortDerivation(collation, edition) }
    }),
  ]
}

/** The old column with the same values, derived from an old field; undefined if there is none. */
export function oldDerivedColumn(before: NounSchema, field: string, derivation: Derivation): string | undefined {
  const derivationText = JSON.stringify(derivation)
  return derivedSchemas(before).find((old) => old.from === field && JSON.stringify(old.derivation) === derivationText)
    ?.name
}

/** The columns of sort keys that have an index. */
export function sortIndexes({ sorted = [] }: NounSchema): readonly string[] {
  return sorted.filter(({ isIndexed }) => isIndexed).map(({ name }) => sortKeyName(name))
}

/** The schema with adopted tables marked: those that were adopted before, and those that a migration adopts. */
export function withAdopted(schema: Schema, before: Schema | undefined, more: ReadonlySet<string> = new Set()): Schema {
  const adoptedBefore = [...(before?.nouns ?? []), ...(before?.links ?? [])].filter(({ adopted }) => adopted)
  const isAdopted = (name: string) => more.has(name) || adoptedBefore.some((table) => table.name === name)
  return {
    nouns: schema.nouns.map((noun) => (isAdopted(noun.name) ? adoptedNoun(noun) : noun)),
    links: schema.links.map((link) => (isAdopted(link.name) ? { ...link, adopted: true } : link)),
  }
}

/** The owners of an adopted table decide about its indexes. */
function adoptedNoun({ indexes: _, ...noun }: NounSchema): NounSchema {
  return { ...noun, adopted: true, indexed: [] }
}

/** The declared name of a noun or a field, for messages. */
export function declaredName(schema: NounSchema | FieldSchema): string {
  return ('fields' in schema ? schema.noun : schema.field) ?? schema.name
}

/** The columns of a link, in the order of its nouns. */
export function pairColumns({ nouns, columns }: LinkSchema): readonly [string, string] {
  return columns ?? nouns
}

/** The columns of a link's table, each with its noun and the identity of that noun. */
export function linkColumns(link: LinkSchema, schema: Schema) {
  return pairColumns(link).map((name, index) => {
    const noun = nounOf(schema, link.nouns[index] ?? name)
    return { name, noun: noun.name, identity: fieldOf(noun, noun.identity) }
  })
}

/** The name of a noun's index. */
export function indexName({ name }: NounSchema, columns: readonly string[], isUnique: boolean): string {
  return derivedName([name, ...columns, ...(isUnique ? ['unique'] : [])])
}
