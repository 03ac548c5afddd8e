/** Runs the prechecks of a migration on SQLite. */
import type { DatabaseSync } from 'node:sqlite'
import type { Change } from '../../migrate/change/change.ts'
import type { StoredValue } from '../../migrate/convert.ts'
import { obstaclesOf as findObstacles } from '../../migrate/precheck/precheck.ts'
import type { Precheck, PrecheckDialect } from '../../migrate/precheck/query.ts'
import type { Schema } from '../../migrate/schema/schema.ts'
import { quotedName } from '../../sql/sql.ts'
import { convertByPath, defaultLiteral } from './expression.ts'

const dialect: PrecheckDialect = {
  quotedName,
  convertByPath,
  defaultLiteral,
  lowerCase: (expression) => `lower(${expression})`,
  storedValue: (_, { value }) => value as StoredValue,
}

/** One sentence for each obstacle. */
export function obstaclesOf(
  database: DatabaseSync,
  changes: readonly Change[],
  before: Schema,
  after: Schema,
): readonly string[] {
  return runQueries(database, findObstacles(dialect, changes, before, after))
}

function runQueries<Result>(database: DatabaseSync, precheck: Precheck<Result>): Result {
  let step = precheck.next()
  while (!step.done) {
    const query = step.value
    const statement = database.prepare(typeof query === 'string' ? query : query.query)
    statement.setReadBigInts(true)
    if (typeof query !== 'string') for (const row of statement.iterate()) query.onRow(row)
    step = precheck.next(typeof query === 'string' ? statement.all() : [])
  }
  return step.value
}
