/** Rejects schemas that a database cannot hold: names that collide, and tables that are too wide. */
import { DeclarationError } from '@nomen/core'
import { declaredName, derivedSchemas, indexName, type NounSchema, type Schema, sortIndexes } from './schema.ts'

/** PostgreSQL's limit on the columns of a table. It also applies to SQLite, so that both databases accept the same nouns. */
const maxColumns = 1600

export function checkWidths({ nouns }: Schema): void {
  for (const noun of nouns) {
    const columns = noun.fields.length + derivedSchemas(noun).length + 1
    if (columns <= maxColumns) continue
    const derived = derivedSchemas(noun).length === 0 ? '' : ' and their columns for search and sort'
    const rule = `its ${noun.fields.length} fields${derived} need ${columns} columns; a table can have at most ${maxColumns}.`
    throw new DeclarationError(
      `noun "${declaredName(noun)}"`,
      rule,
      'split it, for example into a noun and a child noun.',
    )
  }
}

export function checkNames({ nouns, links }: Schema): void {
  checkNounTables(nouns)
  for (const noun of nouns) checkColumns(noun)
  checkLinkTables(nouns, links)
}

function checkNounTables(nouns: Schema['nouns']): void {
  const tables = new Map<string, string>()
  for (const { name, noun = name } of nouns) {
    const existing = tables.get(name.toLowerCase())
    if (existing !== undefined) {
      const rule = `the table "${name}" already stores the noun "${existing}".`
      throw new DeclarationError(`noun "${noun}"`, rule, 'give each noun its own table.')
    }
    tables.set(name.toLowerCase(), noun)
  }
}

function checkColumns(noun: NounSchema): void {
  const subject = `noun "${declaredName(noun)}"`
  const derived = new Map(derivedSchemas(noun).map((column) => [column.name.toLowerCase(), column]))
  const columns = new Map<string, string>()
  for (const { name } of noun.fields) {
    const derivedColumn = derived.get(name.toLowerCase())
    if (derivedColumn) {
      const rule = `the column "${derivedColumn.name}" is needed to search or sort "${derivedColumn.from}", but a field has this column.`
      throw new DeclarationError(subject, rule, 'give the field another column: .column(…).')
    }
    const existing = columns.get(name.toLowerCase())
    if (existing) {
      const rule = `its fields "${existing}" and "${name}" differ only in case, and SQLite does not distinguish such names.`
      throw new DeclarationError(subject, rule, 'rename one of them.')
    }
    columns.set(name.toLowerCase(), name)
  }
}

function checkLinkTables(nouns: Schema['nouns'], links: Schema['links']): void {
  const tableNames = new Set(nouns.map(({ name }) => name))
  for (const { name } of links) {
    if (tableNames.has(name)) {
      const rule = 'another link or a noun has a table of this name.'
      throw new DeclarationError(`link "${name}"`, rule, 'rename the noun, or one of the linked nouns.')
    }
    tableNames.add(name)
  }
}

/**
 * Rejects a table whose name is that of another table's index. Only a migration knows which tables are adopted and get
 * no index.
 */
export function checkIndexNames({ nouns, links }: Schema): void {
  const tables = new Map([...nouns, ...links].map((table) => [table.name.toLowerCase(), table]))
  for (const noun of nouns.filter(({ adopted }) => !adopted)) {
    const derived: readonly (readonly [string, string])[] = [
      ...noun.unique.map((set) => [indexName(noun, set, true), `the unique index on ${set.join(' with ')}`] as const),
      ...[...[...noun.indexed, ...sortIndexes(noun)].map((column) => [column]), ...(noun.indexes ?? [])].map(
        (set) => [indexName(noun, set, false), `the index on ${set.join(' with ')}`] as const,
      ),
      [`${noun.name}_primary_key`, 'the primary key'],
      [`${noun.name}_${noun.identity}_seq`, 'the sequence'],
    ]
    for (const [name, object] of derived) {
      const table = tables.get(name.toLowerCase())
      if (!table) continue
      const subject = 'fields' in table ? `noun "${declaredName(table)}"` : `link "${table.name}"`
      const rule = `its table "${table.name}" has the same name as ${object} of "${declaredName(noun)}".`
      throw new DeclarationError(subject, rule, 'give it another table: { table: … }.')
    }
  }
}

/** Rejects a required reference whose default the database of Nomen would have to know. An adopted table may have one. */
export function checkReferenceDefaults({ nouns }: Schema): void {
  for (const noun of nouns.filter(({ adopted }) => !adopted)) {
    const field = noun.fields.find(
      ({ kind, databaseDefault, nullable }) => kind === 'reference' && databaseDefault && !nullable,
    )
    if (!field) continue
    const rule = 'databaseDefault() of a required reference needs a table of another program with a default.'
    const subject = `noun "${declaredName(noun)}", field "${declaredName(field)}"`
    throw new DeclarationError(subject, rule, 'use default() with an ID, or nullable().')
  }
}
