/** Tables and indexes of a schema for SQLite. */

import {
  companionsOf,
  type DerivedSchema,
  derivedSchemas,
  type FieldSchema,
  fieldOf,
  type LinkSchema,
  linkColumns,
  type NounSchema,
  type Schema,
} from '../../migrate/schema/schema.ts'
import { type Index, tableIndexes } from '../../migrate/schema/table-index.ts'
import { quotedName, stringLiteral } from '../../sql/sql.ts'
import { deriveString } from '../../text/derived-column.ts'
import { defaultLiteral } from './expression.ts'

export interface Column {
  readonly name: string
  /** Type and constraints. */
  readonly definition: string
  readonly derived?: DerivedSchema
}

/** A column, optionally with a collation. */
interface Term {
  readonly column: string
  readonly collation?: string
}

/** Every noun's columns: its fields, the version, and derived columns. */
export function columnsOf(noun: NounSchema): readonly Column[] {
  return [
    ...noun.fields.map((field) => ({ name: field.name, definition: columnDefinition(field) })),
    { name: '_version', definition: 'INTEGER NOT NULL DEFAULT 1' },
    ...derivedSchemas(noun).map((derived) => ({
      name: derived.name,
      definition: `${withNotNull(fieldOf(noun, derived.from), 'TEXT')}${derivedDefault(fieldOf(noun, derived.from), derived)}`,
      derived,
    })),
  ]
}

/** The type of a stored value. A decimal is an integer number of its smallest unit. */
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

function columnDefinition(field: FieldSchema): string {
  const type = typeOf(field)
  // With AUTOINCREMENT, the identity of a deleted record is never assigned again.
  if (field.kind === 'identity') return field.guid ? `${type} PRIMARY KEY` : `${type} PRIMARY KEY AUTOINCREMENT`
  if (field.kind !== 'reference') return `${withNotNull(field, type)}${columnDefault(field)}`
  return `${withNotNull(field, type)} ${referencesClause(field.target ?? '')}`
}

function withNotNull(field: FieldSchema, type: string): string {
  return field.nullable ? type : `${type} NOT NULL`
}

const randomGuid =
  "lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))"

function derivedDefault(field: FieldSchema, { derivation }: DerivedSchema): string {
  if (!field.columnDefault) return columnDefault(field)
  return ` DEFAULT ${stringLiteral(deriveString(derivation, `${field.default}`))}`
}

/** The default of a column, for versions without the field or because the field leaves it to the database. */
function columnDefault(field: FieldSchema): string {
  const { kind, nullable, databaseDefault, choices = [] } = field
  if (field.columnDefault) return ` DEFAULT ${defaultLiteral(field)}`
  if (!databaseDefault || nullable) return ''
  switch (kind) {
    case 'timestamp':
      return " DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))"
    case 'date':
      return " DEFAULT (date('now'))"
    case 'guid':
      return ` DEFAULT (${randomGuid})`
    case 'integer':
    case 'number':
    case 'decimal':
    case 'boolean':
      return ' DEFAULT 0'
    default:
      return ` DEFAULT ${stringLiteral(choices[0] ?? '')}`
  }
}

function referencesClause(noun: string): string {
  return `REFERENCES ${quotedName(noun)}`
}

export function createTable(name: string, columns: readonly Column[]): string {
  const lines = columns.map((column) => `  ${quotedName(column.name)} ${column.definition}`)
  return `CREATE TABLE ${quotedName(name)} (\n${lines.join(',\n')}\n) STRICT`
}

/** The indexes of a noun's table. */
export function indexesOf(noun: NounSchema): readonly Index<Term>[] {
  // E-mail addresses that differ only in ASCII case are equal.
  const uniqueTerm = (column: string): Term =>
    fieldOf(noun, column).kind === 'email' ? { column, collation: 'NOCASE' } : { column }
  const terms = (columns: readonly string[], companions: readonly string[]) => {
    // If the identity is the rowid, every index contains it at the end.
    const isAppended = fieldOf(noun, noun.identity).guid || companions.length > 0
    return [...columns, ...(isAppended ? [noun.identity] : []), ...companions].map((name) => ({ column: name }))
  }
  return tableIndexes(
    noun,
    uniqueTerm,
    (columns) => terms(columns, companionsOf(noun, columns)),
    (column) => terms([column], []),
  )
}

export function createIndex({ name, table, isUnique, terms, notNull }: Index<Term>): string {
  const columns = terms.map(({ column, collation }) => quotedName(column) + (collation ? ` COLLATE ${collation}` : ''))
  const condition = notNull === undefined ? '' : ` WHERE ${quotedName(notNull)} IS NOT NULL`
  const kind = isUnique ? 'UNIQUE INDEX' : 'INDEX'
  return `CREATE ${kind} ${quotedName(name)} ON ${quotedName(table)} (${columns.join(', ')})${condition}`
}

/** A noun's table with its indexes. */
export function createNoun(noun: NounSchema): readonly string[] {
  return [createTable(noun.name, columnsOf(noun)), ...createIndexes(noun)]
}

/**
 * All indexes of a noun. SQLite checks the newest unique index first. So they are created in reverse order, and an error
 * names the conflict that is declared first.
 */
export function createIndexes(noun: NounSchema): readonly string[] {
  const indexes = indexesOf(noun)
  const [unique, others] = [indexes.filter(({ isUnique }) => isUnique), indexes.filter(({ isUnique }) => !isUnique)]
  return [...unique.toReversed(), ...others].map(createIndex)
}

/** A link's table, whose primary key is one index, and an index for the other direction. */
export function createLink(link: LinkSchema, schema: Schema): readonly string[] {
  const { name } = link
  const pair = linkColumns(link, schema)
  const columns = pair.map(
    ({ name, noun, identity }) => `  ${quotedName(name)} ${typeOf(identity)} NOT NULL ${referencesClause(noun)}`,
  )
  const [first, second] = pair.map((column) => quotedName(column.name))
  return [
    `CREATE TABLE ${quotedName(name)} (
${columns.join(',\n')},
  PRIMARY KEY (${first}, ${second})
) STRICT, WITHOUT ROWID`,
    `CREATE INDEX ${quotedName(`${name}_reverse`)} ON ${quotedName(name)} (${second}, ${first})`,
  ]
}
