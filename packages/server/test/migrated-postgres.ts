/** A schema of a PostgreSQL database for tests of migrations. */
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { beforeAll, onTestFinished } from 'vitest'
import { migrate } from '../src/store/postgres/migrate/migrate.ts'
import { convertByPath } from '../src/store/postgres/migrate/sql/expression.ts'
import { identifier } from '../src/store/postgres/name.ts'
import { fieldsOf, type MigratedDatabase, talliesIn, wireValue } from './migrated-database.ts'

export interface MigratedPostgres extends MigratedDatabase {
  readonly client: pg.Client
  readonly schemaName: string
  /** Another connection to the same schema. */
  connect(): Promise<pg.Client>
}

/** Makes schemas in one database of the test file, on one connection, which serves one test after the other. */
export function postgresSchemas(): () => Promise<MigratedPostgres> {
  let databaseCount = 0
  let url = ''
  let client: pg.Client
  beforeAll(async () => {
    const database = await temporaryPostgres()
    url = database.url
    client = new pg.Client(url)
    await client.connect()
    return async () => {
      await client.end()
      await database.remove()
    }
  })
  return async () => {
    const schemaName = `test_${++databaseCount}`
    await client.query(`rollback; create schema ${schemaName}`)
    return migratedPostgres(url, client, schemaName)
  }
}

function migratedPostgres(url: string, client: pg.Client, schemaName: string): MigratedPostgres {
  // A test may have two schemas.
  const here = async () => {
    await client.query(`set search_path = ${schemaName}`)
    return client
  }
  const names = async (query: string) => (await (await here()).query(query)).rows.map(({ name }) => `${name}`)
  const tables = () => names(`select relname as name from ${relations} and relkind = 'r' order by relname collate "C"`)
  const schema = async () => schemaOf(await here(), schemaName)
  return {
    client,
    schemaName,
    connect: async () => {
      const other = new pg.Client({ connectionString: url, options: `-c search_path=${schemaName}` })
      await other.connect()
      onTestFinished(() => other.end())
      return other
    },
    migrate: async (model, mode) => migrate(await here(), model, mode),
    run: async (sql) => void (await (await here()).query(sql)),
    insert: async (_, noun, record) => {
      const columns = Object.keys(record).map(identifier)
      const values = Object.values(record).map((value) => (value === null ? null : `${value}`))
      const placeholders = columns.map((_, at) => `$${at + 1}`)
      const inserted = columns.length > 0 ? `(${columns}) values (${placeholders})` : 'default values'
      await (await here()).query(`insert into ${identifier(noun)} ${inserted}`, values)
    },
    records: async (model, noun, ...columnNames) => {
      const fields = fieldsOf(model, noun)
      const identity = [...fields.values()].find(({ kind }) => kind === 'identity')?.name ?? ''
      const columns = columnNames.map((column) => {
        const field = fields.get(column)
        return field ? convertByPath([field, { name: column, kind: 'text' }], identifier(column)) : identifier(column)
      })
      const text = `select ${columns} from ${identifier(noun)} order by ${identifier(noun)}.${identifier(identity)}`
      const { rows } = await (await here()).query({ text, rowMode: 'array' })
      return rows.map((row) =>
        Object.fromEntries(columnNames.map((column, at) => [column, wireValue(fields.get(column), row[at])])),
      )
    },
    columns: (table) =>
      names(
        `select attname as name from pg_attribute where attrelid = '${identifier(table)}'::regclass and attnum > 0 and not attisdropped order by attnum`,
      ),
    indexes: (table) =>
      names(
        `select indexrelid::regclass::name as name from pg_index where indrelid = '${identifier(table)}'::regclass and not indisprimary`,
      ).then((names) => names.map((name) => name.replaceAll('"', '')).sort()),
    tables: async () => (await tables()).filter((name) => !/^_(tally_|timeline$|transaction$|rate$)/.test(name)),
    tallies: async (noun) => {
      const counts = `select key, records from "_tally_${noun}" where level = 2`
      const all = `${counts} union all select key, records from "_tally_${noun}_delta"`
      const query = `select key, sum(records) as records from (${all}) as known group by key`
      return talliesIn((await (await here()).query(query)).rows)
    },
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
    close: async () => void (await client.query(`drop schema ${schemaName} cascade`)),
  }
}

const relations = 'pg_class where relnamespace = current_schema()::regnamespace'

/** The catalog of the connection's schema; names that PostgreSQL chose by itself are left out. */
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
