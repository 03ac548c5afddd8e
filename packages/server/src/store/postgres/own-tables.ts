/** Nomen's own tables on PostgreSQL. */
import type { Value } from '@nomen/core'
import type { ClientBase } from 'pg'
import { retry } from '../retry.ts'
import type {
  ColumnType,
  OwnRow,
  OwnTable,
  OwnTableDatabase,
  OwnTableDialect,
  OwnTableWork,
} from '../sql/own-tables/dialect.ts'
import { createTables } from '../sql/own-tables/table.ts'
import { type Sql, sql, textLiteral } from '../sql/sql.ts'
import type { PostgresDatabase } from './connect/database.ts'
import { migrationLock } from './migrate/connection.ts'
import { identifier } from './name.ts'
import { compile, type Statement } from './statement.ts'

const timeFormats = {
  date: 'YYYY-MM-DD',
  'timestamptz(0)': 'YYYY-MM-DD"T"HH24:MI:SS"Z"',
  'timestamptz(3)': 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"',
}

const typeOf = (type: ColumnType) => (type === 'identity' ? 'text' : type)

export const postgresOwnTables: OwnTableDialect = {
  typeOf,
  keyword: (words) => words,
  // With free space in the page, an update of the row changes no index.
  tableOptions: ({ isHot }) => (isHot ? ' with (fillfactor = 50)' : ''),
  jsonRows: (json, columns) => {
    const definitions = Object.entries(columns).map(([name, type]) => `${identifier(name)} ${typeOf(type)}`)
    return sql`json_to_recordset(${json}::json) as item (${sql.raw(definitions.join(', '))})`
  },
  timeText: (value, type) => {
    const utc = type === 'date' ? value : sql`${value} at time zone 'UTC'`
    return sql`to_char(${utc}, ${sql.lit(timeFormats[type])})`
  },
  nowMs: sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
  skipLocked: sql`for update skip locked`,
  readIdentity: (column) => JSON.parse(`${column}`) as Value,
}

const compiled = new WeakMap<Sql, Statement<unknown>>()

function compileOnce(text: Sql): Statement<unknown> {
  const statement = compiled.get(text) ?? compile(text)
  compiled.set(text, statement)
  return statement
}

/** Runs work statement by statement. */
export async function runWork<Result>(
  work: OwnTableWork<Result>,
  run: (statement: Statement<unknown>, input: unknown) => Promise<readonly OwnRow[]>,
): Promise<Result> {
  let step = work.next()
  while (!step.done) step = work.next(await run(compileOnce(step.value.statement), step.value.input))
  return step.value
}

/** Runs work on a connection outside the pool. */
export function runOn<Result>(client: ClientBase, work: OwnTableWork<Result>): Promise<Result> {
  return runWork(work, async ({ name, text, bind }, input) => {
    const { rows } = await client.query({ name, text, values: bind(input), rowMode: 'array' })
    return rows
  })
}

/** Whether all of the tables exist, as `true` or `false`. */
export function existQuery(tables: readonly OwnTable[]): string {
  const checks = tables.map(({ name }) => `to_regclass(${textLiteral(identifier(name))}) is not null`)
  return `select (${['true', ...checks].join(' and ')})::text`
}

/** Creates missing tables. Instances that start at the same time, or migrate, wait for each other. */
export function createMissing(tables: readonly OwnTable[]): string {
  const lock = `select pg_advisory_xact_lock(${migrationLock}, hashtext(current_schema()))`
  return [lock, ...createTables(postgresOwnTables, tables)].join(';\n')
}

/** Runs work on pooled connections. Creates tables that an older database lacks. */
export function pooledOwnTables(database: PostgresDatabase, optional: readonly OwnTable[]): OwnTableDatabase {
  const exist = compile<undefined>(sql.raw(existQuery(optional)))
  let areCreated = optional.length === 0
  const withTables = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (!areCreated && (await database.readShort(exist, undefined))[0]?.[0] !== 'true')
      await database.execute(createMissing(optional))
    areCreated = true
    try {
      return await work()
    } catch (error) {
      areCreated = false
      throw error
    }
  }
  return {
    read: (work) => withTables(() => runWork(work(), (statement, input) => database.read(statement, input))),
    write: (work) => {
      const attempt = () => database.once.transaction((run) => runWork(work(), run))
      return withTables(() => retry(attempt))
    },
  }
}
