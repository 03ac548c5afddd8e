/** Runs the prechecks of a migration on PostgreSQL. */
import type { ClientBase } from 'pg'
import type { Change } from '../../migrate/change/change.ts'
import { obstaclesOf as findObstacles } from '../../migrate/precheck/precheck.ts'
import type { Precheck, PrecheckDialect } from '../../migrate/precheck/query.ts'
import type { Schema } from '../../migrate/schema/schema.ts'
import { identifier } from '../name.ts'
import { rowBatches } from './cursor.ts'
import { convertByPath, storedValue } from './sql/expression.ts'
import { defaultLiteral } from './sql/table.ts'

const dialect: PrecheckDialect = {
  quotedName: identifier,
  convertByPath,
  defaultLiteral,
  lowerCase: (expression) => `lower(${expression} collate "C")`,
  storedValue: (field, { text }) => storedValue(field, `${text}`),
}

/** One sentence for each obstacle. */
export async function obstaclesOf(
  client: ClientBase,
  changes: readonly Change[],
  before: Schema,
  after: Schema,
): Promise<readonly string[]> {
  return runQueries(client, findObstacles(dialect, changes, before, after))
}

async function runQueries<Result>(client: ClientBase, precheck: Precheck<Result>): Promise<Result> {
  let step = precheck.next()
  while (!step.done) {
    const query = step.value
    if (typeof query === 'string') step = precheck.next((await client.query(query)).rows)
    else {
      for await (const rows of rowBatches(client, query.query)) rows.forEach(query.onRow)
      step = precheck.next([])
    }
  }
  return step.value
}
