/** The schema: what a model needs a database to hold, as plain data that can be written down and compared. */
import { type AnyLink, type AnyNoun, DeclarationError, type FieldKind, specOf, targetOf, type Value } from '@nomen/core'
import type { Model, StoredNoun } from '../model.ts'
import { columnName, foldedName, pairColumn, tableName } from '../stored-name.ts'
import { derivedName, edition } from './derived-name.ts'

export interface Schema {
  readonly nouns: readonly NounSchema[]
  readonly links: readonly LinkSchema[]
}

/** The schema of an empty database. */
export const noTables: Schema = { nouns: [], links: [] }

/** A noun as its table: names are those of the database. */
export interface NounSchema {
  readonly name: string
  /** What the declaration calls it, where that is not the table's name. */
  readonly noun?: string
  readonly identity: string
  readonly fields: readonly FieldSchema[]
  /** Fields with an index of their own; one that is unique needs none, except an e-mail. */
  readonly indexed: readonly string[]
  readonly searched: readonly string[]
  /** Sets of fields by whose values the records are counted; databases made before there were any have none. */
  readonly tallies?: readonly (readonly string[])[]
  /** Sets of fields, often of one, whose values no two records share. */
  readonly unique: readonly (readonly string[])[]
  /** The table was there before, and is another program's too: its form is left as it is. */
  readonly adopted?: true
  /** Which names and triggers it bears (see `made-name.ts`); absent in databases made before there were editions. */
  readonly edition?: number
}

export interface FieldSchema {
  readonly name: string
  /** What the declaration calls it, where that is not the column's name. */
  readonly field?: string
  readonly kind: FieldKind
  readonly nullable?: true
  /** An identity made of a guid, or a reference to one. */
  readonly guid?: true
  readonly scale?: number
  readonly choices?: readonly string[]
  /** The table that a reference points at. */
  readonly target?: string
  readonly default?: Value
  readonly defaultFrom?: string
  readonly limits?: Limits
  /** A field or a column, read when a schema is compared with an older one; not part of a snapshot. */
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
  /** Its columns, where they do not bear the names of the tables. */
  readonly columns?: readonly [string, string]
  /** The references whose value both records of a pair share, as the columns of either table. */
  readonly sharing?: readonly [string, string]
  readonly adopted?: true
}

/** The schema of a model. Refuses names that a database could not tell apart. */
export function schemaOf({ nouns, links }: Model): Schema {
  const schema: Schema = {
    nouns: [...nouns.values()].map(nounSchema),
    links: links.map(linkSchema),
  }
  checkNames(schema)
  checkWidths(schema)
  return schema
}

/** The noun of a table; it must be there. */
export function nounOf(schema: Schema, name: string): NounSchema {
  const found = schema.nouns.find((noun) => noun.name === name)
  if (!found) throw new Error(`The schema has no noun "${name}".`)
  return found
}

/** The link of a table; it must be there. */
export function linkOf(schema: Schema, name: string): LinkSchema {
  const found = schema.links.find((link) => link.name === name)
  if (!found) throw new Error(`The schema has no link "${name}".`)
  return found
}

/** The field of a column; it must be there. */
export function fieldOf(noun: NounSchema, name: string): FieldSchema {
  const found = noun.fields.find((field) => field.name === name)
  if (!found) throw new Error(`The schema of "${noun.name}" has no field "${name}".`)
  return found
}

/**
 * What the index of a field holds beside it: that of a reference the choices and booleans that lists are filtered by, so
 * that the records of one parent in one state are counted without a look at the records themselves.
 */
export function companionsOf(noun: NounSchema, field: string): readonly string[] {
  if (fieldOf(noun, field).kind !== 'reference') return []
  return (noun.tallies ?? []).filter((set) => set.length === 1).flat()
}

/** The same schema where some tables are adopted: those that were, and those that a migration adopts. */
export function withAdopted(schema: Schema, before: Schema | undefined, more: ReadonlySet<string> = new Set()): Schema {
  const known = [...(before?.nouns ?? []), ...(before?.links ?? [])].filter(({ adopted }) => adopted)
  const isAdopted = (name: string) => more.has(name) || known.some((one) => one.name === name)
  return {
    // Which indexes it has is decided by those whose table it is.
    nouns: schema.nouns.map((noun) => (isAdopted(noun.name) ? { ...noun, adopted: true, indexed: [] } : noun)),
    links: schema.links.map((link) => (isAdopted(link.name) ? { ...link, adopted: true } : link)),
  }
}

/** What the declaration calls a noun or a field: what people are told. */
export function declaredName(of: NounSchema | FieldSchema): string {
  return ('fields' in of ? of.noun : of.field) ?? of.name
}

/** The columns of a link, in the order of its nouns. */
export function pairColumns({ nouns, columns }: LinkSchema): readonly [string, string] {
  return columns ?? nouns
}

function linkSchema(link: AnyLink): LinkSchema {
  const nouns = link.nouns.map(tableName) as [string, string]
  const columns = link.nouns.map((noun) => pairColumn(link, noun)) as [string, string]
  const { sharing } = link
  return {
    name: tableName(link),
    nouns,
    ...(columns.join('\n') !== nouns.join('\n') && { columns }),
    ...(sharing !== undefined && {
      sharing: link.nouns.map((noun) => columnName(noun, sharing)) as [string, string],
    }),
  }
}

function nounSchema({ noun, filtered, searched, tallies }: StoredNoun): NounSchema {
  const fields = Object.keys(noun.fields).map((name) => fieldSchema(noun, name))
  const column = (name: string) => columnName(noun, name)
  const columns = (names: ReadonlySet<string>) => new Set([...names].map(column))
  const unique = uniqueSets(noun).map((set) => set.map(column))
  const [identity, indexed, folded] = [column(noun.identity), columns(filtered), columns(searched)]
  const isUnique = (name: string) => unique.some((set) => set.length === 1 && set[0] === name)
  const needsIndex = ({ name, kind }: FieldSchema) =>
    // Deletes look references up, filtered or not. The unique index of an e-mail serves no exact comparison.
    (indexed.has(name) || kind === 'reference') && (!isUnique(name) || kind === 'email') && name !== identity
  const name = tableName(noun)
  return {
    name,
    ...(name !== noun.name && { noun: noun.name }),
    identity,
    fields,
    indexed: fields.filter(needsIndex).map(({ name }) => name),
    searched: fields.map(({ name }) => name).filter((one) => folded.has(one)),
    tallies,
    unique,
    edition,
  }
}

/** What an index of a noun is called. */
export function indexName(
  { name, edition: of = 1 }: NounSchema,
  columns: readonly string[],
  isUnique: boolean,
): string {
  return derivedName([name, ...columns, ...(isUnique ? ['unique'] : [])], of)
}

function fieldSchema(noun: AnyNoun, name: string): FieldSchema {
  const spec = specOf(noun, name)
  const { min, max, minLength, maxLength, precision } = spec
  const limits = defined({ min, max, minLength, maxLength, precision })
  const column = columnName(noun, name)
  return defined({
    name: column,
    field: column === name ? undefined : name,
    kind: spec.kind,
    nullable: spec.nullable,
    guid: spec.guid,
    scale: spec.scale,
    choices: spec.choices,
    target: spec.kind === 'reference' ? tableName(targetOf(noun, name)) : undefined,
    default: spec.default,
    defaultFrom: spec.defaultFrom === undefined ? undefined : columnName(noun, spec.defaultFrom),
    limits: Object.keys(limits).length === 0 ? undefined : limits,
    renamedFrom: spec.renamedFrom,
  })
}

/** Sets of fields, often of one, whose values no two records share. */
export function uniqueSets(noun: AnyNoun): readonly (readonly string[])[] {
  const single = Object.keys(noun.fields).filter((name) => specOf(noun, name).unique && name !== noun.identity)
  const sets = [...single.map((name) => [name]), ...(noun.options.unique ?? []).map((set) => [...new Set(set)])]
  return [...new Map(sets.map((set) => [set.join(), set])).values()]
}

/** A table of PostgreSQL takes no more columns, and what one database takes the other does too. */
const mostColumns = 1600

function checkWidths({ nouns }: Schema): void {
  for (const noun of nouns) {
    const columns = noun.fields.length + noun.searched.length + 1
    if (columns <= mostColumns) continue
    const searched = noun.searched.length === 0 ? '' : `, ${noun.searched.length} of them searched,`
    const rule = `its ${noun.fields.length} fields${searched} need ${columns} columns, and a table has at most ${mostColumns}.`
    throw new DeclarationError(`noun "${declaredName(noun)}"`, rule, 'split it, such as into a noun and a child of it.')
  }
}

function checkNames({ nouns, links }: Schema): void {
  const tables = new Map<string, string>()
  for (const { name, noun = name } of nouns) {
    const other = tables.get(name.toLowerCase())
    if (other !== undefined) {
      const rule = `the table "${name}" holds the records of "${other}" already.`
      throw new DeclarationError(`noun "${noun}"`, rule, 'give each noun a table of its own.')
    }
    tables.set(name.toLowerCase(), noun)
  }
  for (const { name, noun = name, fields, searched } of nouns) {
    const seen = new Map<string, string>(
      searched.map((column) => [foldedName(column).toLowerCase(), foldedName(column)]),
    )
    for (const field of fields) {
      const other = seen.get(field.name.toLowerCase())
      if (other) {
        const rule = `its fields "${other}" and "${field.name}" differ in nothing but case, which a database does not see.`
        throw new DeclarationError(`noun "${noun}"`, rule, 'rename one of them.')
      }
      seen.set(field.name.toLowerCase(), field.name)
    }
  }
  const seen = new Set(nouns.map(({ name }) => name))
  for (const { name } of links) {
    if (seen.has(name)) {
      const rule = 'another link, or a noun, is stored under this name.'
      throw new DeclarationError(`link "${name}"`, rule, 'rename the noun, or one of the linked nouns.')
    }
    seen.add(name)
  }
}

/**
 * Refuses a table that is called as an index of another one. Only a migration knows which tables are adopted, and get no
 * index.
 */
export function checkIndexNames({ nouns, links }: Schema): void {
  const tables = new Map([...nouns, ...links].map((one) => [one.name.toLowerCase(), one]))
  for (const noun of nouns.filter(({ adopted }) => !adopted)) {
    const made: readonly (readonly [string, string])[] = [
      ...noun.unique.map((set) => [indexName(noun, set, true), `what keeps ${set.join(' with ')} unique`] as const),
      ...noun.indexed.map((column) => [indexName(noun, [column], false), `the index on "${column}"`] as const),
      [`${noun.name}_primary_key`, 'the primary key'],
      [`${noun.name}_${noun.identity}_seq`, 'the sequence'],
    ]
    for (const [name, what] of made) {
      const taken = tables.get(name.toLowerCase())
      if (!taken) continue
      const subject = 'fields' in taken ? `noun "${declaredName(taken)}"` : `link "${taken.name}"`
      const rule = `its table "${taken.name}" bears the name of ${what} of "${declaredName(noun)}".`
      throw new DeclarationError(subject, rule, 'give it another table: { table: … }.')
    }
  }
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

function defined<T extends object>(parts: T): Defined<T> {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Defined<T>
}
