/** Answers, from SQLite, the queries that look for obstacles. */
import type { DatabaseSync } from 'node:sqlite'
import type { Change } from '../../migrate/change.ts'
import type { Stored } from '../../migrate/convert.ts'
import { obstaclesOf as inquiryOf } from '../../migrate/precheck/precheck.ts'
import type { Inquiry, InquiryDialect } from '../../migrate/precheck/query.ts'
import type { Schema } from '../../migrate/schema.ts'
import { quotedName } from '../../sql/sql.ts'
import { carried, defaultLiteral } from './expression.ts'

const dialect: InquiryDialect = {
  quotedName,
  carried,
  defaultLiteral,
  lowered: (expression) => `lower(${expression})`,
  storedValue: (_, { value }) => value as Stored,
}

/** One sentence for each obstacle. */
export function obstaclesOf(
  database: DatabaseSync,
  changes: readonly Change[],
  before: Schema,
  after: Schema,
): readonly string[] {
  return answered(database, inquiryOf(dialect, changes, before, after))
}

function answered<Result>(database: DatabaseSync, inquiry: Inquiry<Result>): Result {
  let asked = inquiry.next()
  while (!asked.done) {
    const question = asked.value
    const query = database.prepare(typeof question === 'string' ? question : question.query)
    query.setReadBigInts(true)
    if (typeof question !== 'string') for (const row of query.iterate()) question.each(row)
    asked = inquiry.next(typeof question === 'string' ? query.all() : [])
  }
  return asked.value
}
