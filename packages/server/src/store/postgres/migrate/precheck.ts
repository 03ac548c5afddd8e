/** Answers, from PostgreSQL, the queries that look for obstacles. */
import type { ClientBase } from 'pg'
import type { Change } from '../../migrate/change.ts'
import { obstaclesOf as inquiryOf } from '../../migrate/precheck/precheck.ts'
import type { Inquiry, InquiryDialect } from '../../migrate/precheck/query.ts'
import type { Schema } from '../../migrate/schema.ts'
import { identifier } from '../name.ts'
import { batchesOf } from './cursor.ts'
import { carried, defaultLiteral, storedValue } from './expression.ts'

const dialect: InquiryDialect = {
  quotedName: identifier,
  carried,
  defaultLiteral,
  lowered: (expression) => `lower(${expression} collate "C")`,
  storedValue: (field, { text }) => storedValue(field, `${text}`),
}

/** One sentence for each obstacle. */
export async function obstaclesOf(
  client: ClientBase,
  changes: readonly Change[],
  before: Schema,
  after: Schema,
): Promise<readonly string[]> {
  return answered(client, inquiryOf(dialect, changes, before, after))
}

async function answered<Result>(client: ClientBase, inquiry: Inquiry<Result>): Promise<Result> {
  let asked = inquiry.next()
  while (!asked.done) {
    const question = asked.value
    if (typeof question === 'string') asked = inquiry.next((await client.query(question)).rows)
    else {
      for await (const rows of batchesOf(client, question.query)) rows.forEach(question.each)
      asked = inquiry.next([])
    }
  }
  return asked.value
}
