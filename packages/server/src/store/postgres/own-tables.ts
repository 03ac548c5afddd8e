/** Nomen's own tables on PostgreSQL. */
import type { Value } from '@nomen/core'
import type { ClientBase } from 'pg'
import type { ColumnType, OwnRow, OwnTableDatabase, OwnTableDialect, OwnTableWork } from '../sql/own-tables/dialect.ts'
import { type Sql, sql } from '../sql/sql.ts'
import type { PostgresDatabase } from './connect/database.ts'
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

const statements = new WeakMap<Sql, Statement<unknown>>()

function compileOnce(text: Sql): Statement<unknown> {
  const statement = statements.get(text) ?? compile(text)
  statements.set(text, statement)
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
export function runOnClient<Result>(client: ClientBase, work: OwnTableWork<Result>): Promise<Result> {
  return runWork(work, async ({ name, text, bind }, input) => {
    const { rows } = await client.query({ name, text, values: bind(input), rowMode: 'array' })
    return rows
  })
}

/** Runs work on pooled connections. */
export function pooledOwnTables(database: PostgresDatabase): OwnTableDatabase {
  return {
    read: (work) => runWork(work(), (statement, input) => database.read(statement, input)),
    write: (work) => database.retry(() => database.withoutRetry.transaction((run) => runWork(work(), run))),
  }
}
