/** Nomen's own tables on PostgreSQL. */
import type { Value } from '@nomen/core'
import type { ClientBase } from 'pg'
import { serverError } from '../fault/fault.ts'
import { retry } from '../fault/retry.ts'
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
function existQuery(tables: readonly OwnTable[]): string {
  const checks = tables.map(({ name }) => `to_regclass(${textLiteral(identifier(name))}) is not null`)
  return `select (${['true', ...checks].join(' and ')})::text`
}

/**
 * Creates missing tables in one transaction. If several instances do so at once, the server refuses all but one, and the
 * others find the tables at the next try. None of them waits for a migration, which could wait for it.
 */
export async function createMissing(
  run: (script: string) => Promise<unknown>,
  tables: readonly OwnTable[],
  ...statements: readonly string[]
): Promise<void> {
  const script = [...createTables(postgresOwnTables, tables), ...statements].join(';\n')
  await retry(() => run(script), { isConflict: isCreatedElsewhere })
}

/** Creates missing tables on a connection outside the pool. */
export async function createMissingOn(client: ClientBase, tables: readonly OwnTable[]): Promise<void> {
  const { rows } = await client.query({ text: existQuery(tables), rowMode: 'array' })
  if (rows[0]?.[0] !== 'true') await createMissing((script) => client.query(script), tables)
}

function isCreatedElsewhere(error: unknown): boolean {
  return ['23505', '42P07', '42710'].includes(`${serverError(error)?.code}`)
}

/** Tables that an older database lacks; created when they are needed. */
export class OptionalTables {
  readonly #database: PostgresDatabase
  readonly #tables: readonly OwnTable[]
  readonly #exist: Statement<undefined>
  #areCreated: boolean

  constructor(database: PostgresDatabase, tables: readonly OwnTable[]) {
    this.#database = database
    this.#tables = tables
    this.#exist = compile<undefined>(sql.raw(existQuery(tables)))
    this.#areCreated = tables.length === 0
  }

  /** Does the work when the tables exist. */
  async with<Result>(work: () => Promise<Result>): Promise<Result> {
    // A user without the privilege to create tables may use existing ones.
    if (!this.#areCreated && (await this.#database.readShort(this.#exist, undefined))[0]?.[0] !== 'true')
      await createMissing((script) => this.#database.script(script), this.#tables)
    this.#areCreated = true
    try {
      return await work()
    } catch (error) {
      this.#areCreated = false
      throw error
    }
  }
}

/** Runs work on pooled connections. Creates tables that an older database lacks. */
export function pooledOwnTables(database: PostgresDatabase, optional: readonly OwnTable[]): OwnTableDatabase {
  const tables = new OptionalTables(database, optional)
  return {
    read: (work) => tables.with(() => runWork(work(), (statement, input) => database.read(statement, input))),
    write: (work) => {
      const attempt = () => database.once.transaction((run) => runWork(work(), run))
      return tables.with(() => retry(attempt))
    },
  }
}
