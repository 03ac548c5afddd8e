/** A schema of a PostgreSQL database for tests of migrations. */
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { afterAll, onTestFinished } from 'vitest'
import { migrate } from '../src/store/postgres/migrate.ts'
import { carried } from '../src/store/postgres/postgres-expression.ts'
import { quoted } from '../src/store/postgres/postgres-name.ts'
import { fieldsOf, type MigratedDatabase, wireValue } from './migrated-database.ts'

export interface MigratedPostgres extends MigratedDatabase {
  readonly client: pg.Client
  readonly schemaName: string
  /** Another connection to the same schema. */
  connect(): Promise<pg.Client>
}

let server: ReturnType<typeof temporaryPostgres> | undefined
let made = 0

/** Makes schemas in one database of the test file; each is gone when its test is. */
export function postgresSchemas(): () => Promise<MigratedPostgres> {
  afterAll(async () => (await server)?.remove())
  return async () => {
    server ??= temporaryPostgres()
    return migratedPostgres((await server).url, `test_${++made}`)
  }
}

async function migratedPostgres(url: string, schemaName: string): Promise<MigratedPostgres> {
  const connect = async () => {
    const opened = new pg.Client({ connectionString: url, options: `-c search_path=${schemaName}` })
    await opened.connect()
    return opened
  }
  const client = await connect()
  await client.query(`create schema ${schemaName}`)
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await client.query(`rollback; drop schema ${schemaName} cascade`)
    await client.end()
  }
  onTestFinished(close)
  const names = async (query: string) => (await client.query(query)).rows.map(({ name }) => `${name}`)
  const tables = () => names(`select relname as name from ${relations} and relkind = 'r' order by relname collate "C"`)
  const schema = async () => schemaOf(client, schemaName)
  return {
    client,
    schemaName,
    connect: async () => {
      const other = await connect()
      onTestFinished(() => other.end())
      return other
    },
    migrate: (model, mode) => migrate(client, model, mode),
    run: async (sql) => void (await client.query(sql)),
    insert: async (_, noun, record) => {
      const columns = Object.keys(record).map(quoted)
      const values = Object.values(record).map((value) => (value === null ? null : `${value}`))
      const marks = columns.map((_, at) => `$${at + 1}`)
      const inserted = columns.length > 0 ? `(${columns}) values (${marks})` : 'default values'
      await client.query(`insert into ${quoted(noun)} ${inserted}`, values)
    },
    records: async (model, noun, ...given) => {
      const fields = fieldsOf(model, noun)
      const identity = [...fields.values()].find(({ kind }) => kind === 'identity')?.name ?? ''
      const columns = given.map((column) => {
        const field = fields.get(column)
        return field ? carried([field, { name: column, kind: 'text' }], quoted(column)) : quoted(column)
      })
      const text = `select ${columns} from ${quoted(noun)} order by ${quoted(noun)}.${quoted(identity)}`
      const { rows } = await client.query({ text, rowMode: 'array' })
      return rows.map((row) =>
        Object.fromEntries(given.map((column, at) => [column, wireValue(fields.get(column), row[at])])),
      )
    },
    columns: (table) =>
      names(
        `select attname as name from pg_attribute where attrelid = '${quoted(table)}'::regclass and attnum > 0 and not attisdropped order by attnum`,
      ),
    indexes: (table) =>
      names(
        `select indexrelid::regclass::name as name from pg_index where indrelid = '${quoted(table)}'::regclass and not indisprimary`,
      ).then((found) => found.map((name) => name.replaceAll('"', '')).sort()),
    tables,
    contents: async () => {
      const rows = []
      for (const table of await tables()) {
        rows.push([
          table,
          (await client.query(`select to_jsonb(t) as row from "${table}" t order by t::text collate "C"`)).rows,
        ])
      }
      return JSON.stringify([await schema(), rows])
    },
    schema,
    // PostgreSQL enforces references at all times.
    check: async () => {},
    deferred: async (work) => {
      await client.query('begin; set constraints all deferred')
      await work()
      await client.query('commit')
    },
    close,
  }
}

const relations = 'pg_class where relnamespace = current_schema()::regnamespace'

/** The catalogue of the connection's schema; names that PostgreSQL chose by itself are left out. */
async function schemaOf(client: pg.Client, schemaName: string): Promise<unknown> {
  const { rows } = await client.query(`
    select 'column' as kind, relname || '.' || attname as name,
      concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attidentity, collname, pg_get_expr(adbin, adrelid)) as form
    from pg_attribute
      join pg_class on attrelid = pg_class.oid
      left join pg_collation on attcollation = pg_collation.oid
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    union all
    select 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(pg_constraint.oid)
    from pg_constraint where connamespace = current_schema()::regnamespace and contype <> 'n'
    union all
    select 'index', indexrelid::regclass::text, pg_get_indexdef(indexrelid)
    from pg_index where indrelid in (select oid from ${relations})
    order by kind, name`)
  return rows.map(({ kind, name, form }) => [kind, name, form.replaceAll(`${schemaName}.`, '')])
}
