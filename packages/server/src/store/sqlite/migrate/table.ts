/** Tables and indexes of a schema, as SQLite creates them. */
import {
  companionsOf,
  type FieldSchema,
  fieldOf,
  type LinkSchema,
  type NounSchema,
  nounOf,
  pairColumns,
  type Schema,
} from '../../migrate/schema.ts'
import { type Index, tableIndexes } from '../../migrate/table-index.ts'
import { quotedName } from '../../sql/sql.ts'

export interface Column {
  readonly name: string
  /** Type and constraints. */
  readonly form: string
}

/** A column, with a collation of its own if it has one. */
interface Term {
  readonly column: string
  readonly collation?: string
}

/** Every noun's columns: its fields, the version, and the folded text of each searched field. */
export function columnsOf(noun: NounSchema): readonly Column[] {
  return [
    ...noun.fields.map((field) => ({ name: field.name, form: formOf(field) })),
    { name: '_version', form: 'INTEGER NOT NULL DEFAULT 1' },
    ...noun.searched.map((name) => ({ name: `${name}_folded`, form: required(fieldOf(noun, name), 'TEXT') })),
  ]
}

/** The type of a stored value. A decimal is a whole number of its smallest unit. */
function typeOf({ kind, guid }: FieldSchema): 'INTEGER' | 'REAL' | 'TEXT' {
  switch (kind) {
    case 'integer':
    case 'boolean':
    case 'decimal':
      return 'INTEGER'
    case 'number':
      return 'REAL'
    case 'identity':
    case 'reference':
      return guid ? 'TEXT' : 'INTEGER'
    default:
      return 'TEXT'
  }
}

function formOf(field: FieldSchema): string {
  const type = typeOf(field)
  // AUTOINCREMENT, so that the identity of a deleted record is never given again.
  if (field.kind === 'identity') return field.guid ? `${type} PRIMARY KEY` : `${type} PRIMARY KEY AUTOINCREMENT`
  if (field.kind !== 'reference') return required(field, type)
  return `${required(field, type)} ${references(field.target ?? '')}`
}

function required(field: FieldSchema, type: string): string {
  return field.nullable ? type : `${type} NOT NULL`
}

function references(noun: string): string {
  return `REFERENCES ${quotedName(noun)}`
}

export function createTable(name: string, columns: readonly Column[]): string {
  const lines = columns.map((column) => `  ${quotedName(column.name)} ${column.form}`)
  return `CREATE TABLE ${quotedName(name)} (\n${lines.join(',\n')}\n) STRICT`
}

/** The indexes of a noun's table. */
export function indexesOf(noun: NounSchema): readonly Index<Term>[] {
  // E-mail addresses that differ in nothing but ASCII case count as one.
  const uniqueTerm = (column: string): Term =>
    fieldOf(noun, column).kind === 'email' ? { column, collation: 'NOCASE' } : { column }
  return tableIndexes(noun, uniqueTerm, (column) => {
    const companions = companionsOf(noun, column)
    // An index on a table whose identity is its row number ends in the identity by itself.
    const isNamed = fieldOf(noun, noun.identity).guid || companions.length > 0
    return [column, ...(isNamed ? [noun.identity] : []), ...companions].map((name) => ({ column: name }))
  })
}

export function createIndex({ name, table, isUnique, terms }: Index<Term>): string {
  const columns = terms.map(({ column, collation }) => quotedName(column) + (collation ? ` COLLATE ${collation}` : ''))
  return `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ${quotedName(name)} ON ${quotedName(table)} (${columns.join(', ')})`
}

/** A noun's table with its indexes. */
export function createNoun(noun: NounSchema): readonly string[] {
  return [createTable(noun.name, columnsOf(noun)), ...createIndexes(noun)]
}

/**
 * All indexes of a noun. SQLite looks at the one that came last first: where several values are taken, it is to name the
 * one that is declared first.
 */
export function createIndexes(noun: NounSchema): readonly string[] {
  const indexes = indexesOf(noun)
  const [unique, others] = [indexes.filter(({ isUnique }) => isUnique), indexes.filter(({ isUnique }) => !isUnique)]
  return [...unique.toReversed(), ...others].map(createIndex)
}

/** A link's table, which is its own index, and the index for the way back. */
export function createLink(link: LinkSchema, schema: Schema): readonly string[] {
  const { name, nouns } = link
  const names = pairColumns(link)
  const columns = nouns.map((noun, at) => {
    const target = nounOf(schema, noun)
    const type = typeOf(fieldOf(target, target.identity))
    return `  ${quotedName(names[at] ?? noun)} ${type} NOT NULL ${references(noun)}`
  })
  const [first, second] = names.map(quotedName)
  return [
    `CREATE TABLE ${quotedName(name)} (
${columns.join(',\n')},
  PRIMARY KEY (${first}, ${second})
) STRICT, WITHOUT ROWID`,
    `CREATE INDEX ${quotedName(`${name}_reverse`)} ON ${quotedName(name)} (${second}, ${first})`,
  ]
}
