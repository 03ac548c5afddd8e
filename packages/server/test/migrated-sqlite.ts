/** An SQLite database for tests of migrations. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { specOf } from '@nomen/core'
import { onTestFinished } from 'vitest'
import { sqliteDialect } from '../src/store/sqlite/dialect.ts'
import { convertExpression } from '../src/store/sqlite/migrate/expression.ts'
import { migrate } from '../src/store/sqlite/migrate/migrate.ts'
import { fieldName } from '../src/store/stored-name.ts'
import { fieldsOf, type MigratedDatabase, talliesIn, wireValue } from './migrated-database.ts'
import { contents, rows } from './temporary-database.ts'

/** In memory; gone when the test is. */
export async function migratedSqlite(): Promise<MigratedDatabase> {
  const database = new DatabaseSync(':memory:')
  database.exec('PRAGMA foreign_keys = ON')
  const close = async () => {
    if (database.isOpen) database.close()
  }
  onTestFinished(close)
  const names = (query: string) => rows(database, query).map(({ name }) => `${name}`)
  return {
    migrate: async (model, mode) => migrate(database, model, mode),
    run: async (sql) => database.exec(sql),
    insert: async (model, noun, record) => {
      const { noun: declared } = model.nouns.get(noun) ?? {}
      const values = Object.entries(record).map(([column, value]) => {
        const field = declared && fieldName(declared, column)
        return field && field in declared.fields ? sqliteDialect.columnValue(specOf(declared, field), value) : value
      })
      const columns = Object.keys(record).map((column) => `"${column}"`)
      const inserted = columns.length > 0 ? `(${columns}) VALUES (${columns.map(() => '?')})` : 'DEFAULT VALUES'
      database.prepare(`INSERT INTO "${noun}" ${inserted}`).run(...(values as SQLInputValue[]))
    },
    records: async (model, noun, ...columnNames) => {
      const fields = fieldsOf(model, noun)
      const columns = columnNames.map((column) => {
        const field = fields.get(column)
        return `${field ? convertExpression(field, { name: column, kind: 'text' }, `"${column}"`) : `"${column}"`} AS "${column}"`
      })
      const records = rows(database, `SELECT ${columns} FROM "${noun}" ORDER BY "${noun}"."${identityOf(fields)}"`)
      return records.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([column, value]) => [column, wireValue(fields.get(column), value as string)]),
        ),
      )
    },
    columns: async (table) => names(`SELECT name FROM pragma_table_info('${table}')`),
    indexes: async (table) =>
      names(
        `SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = '${table}' ORDER BY name`,
      ),
    tables: async () =>
      names(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_tally_*' ORDER BY name`,
      ),
    tallies: async (noun) =>
      talliesIn(
        rows(database, `SELECT key, sum(records) AS records FROM "_tally_${noun}" WHERE level = 2 GROUP BY key`),
      ),
    contents: async () => contents(database),
    schema: async () => schemaOf(database),
    check: async () => {
      const faults = [
        ...rows(database, 'PRAGMA foreign_key_check'),
        ...rows(database, 'PRAGMA integrity_check').slice(1),
      ]
      if (faults.length > 0) throw new Error(JSON.stringify(faults))
    },
    deferred: async (work) => {
      database.exec('BEGIN; PRAGMA defer_foreign_keys = ON')
      await work()
      database.exec('COMMIT')
    },
    close,
  }
}

function identityOf(fields: ReturnType<typeof fieldsOf>): string | undefined {
  return [...fields.values()].find(({ kind }) => kind === 'identity')?.name
}

/** Without the defaults by which columns were added. */
function schemaOf(database: DatabaseSync): unknown {
  return rows(
    database,
    `SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'sqlite_sequence' ORDER BY name`,
  ).map(({ name, sql }) => {
    const plain = `${sql}`.replace(/(?<!"_version" INTEGER NOT NULL) DEFAULT (?:'(?:[^']|'')*'|[-\d.]+)/g, '')
    const inner = plain.slice(plain.indexOf('(') + 1, plain.lastIndexOf(')'))
    const isTable = plain.startsWith('CREATE TABLE')
    const parts = inner.split(',').map((column) => column.trim())
    return [
      name,
      plain.slice(0, plain.indexOf('(')).trim(),
      isTable ? parts.sort() : parts,
      plain.slice(plain.lastIndexOf(')')),
    ]
  })
}
