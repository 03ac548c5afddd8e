/** Runs the prechecks of a migration on SQLite. */
import type { DatabaseSync } from 'node:sqlite'
import type { Change } from '../../migrate/change/change.ts'
import type { Stored } from '../../migrate/convert.ts'
import { obstaclesOf as inquiryOf } from '../../migrate/precheck/precheck.ts'
import type { Precheck, PrecheckDialect } from '../../migrate/precheck/query.ts'
import type { Schema } from '../../migrate/schema/schema.ts'
import { quotedName } from '../../sql/sql.ts'
import { convertByPath, defaultLiteral } from './expression.ts'

const dialect: PrecheckDialect = {
  quotedName,
  convertByPath: convertByPath,
  defaultLiteral,
  lowerCase: (expression) => `lower(${expression})`,
  storedValue: (_, { value }) => value as Stored,
}

/** One sentence for each obstacle. */
export function obstaclesOf(
  database: DatabaseSync,
  changes: readonly Change[],
  before: Schema,
  after: Schema,
): readonly string[] {
  return runQueries(database, inquiryOf(dialect, changes, before, after))
}

function runQueries<Result>(database: DatabaseSync, precheck: Precheck<Result>): Result {
  let next = precheck.next()
  while (!next.done) {
    const query = next.value
    const statement = database.prepare(typeof query === 'string' ? query : query.query)
    statement.setReadBigInts(true)
    if (typeof query !== 'string') for (const row of statement.iterate()) query.each(row)
    next = precheck.next(typeof query === 'string' ? statement.all() : [])
  }
  return next.value
}
