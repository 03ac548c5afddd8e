/** What runs on a thread of its own: it reads one row at a time, and stops where time is up. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { Row } from './statement.ts'

export interface Question {
  readonly text: string
  readonly values: readonly unknown[]
  /** In milliseconds since 1970, as `Date.now()`. */
  readonly deadline: number
}

export type Answer =
  | { readonly row: Row; readonly took: number }
  | { readonly isLate: boolean; readonly error: unknown }

/** How many statements stay prepared. */
const limit = 100

const database = new DatabaseSync(workerData as string, { readOnly: true, timeout: 5000 })
const statements = new Map<string, StatementSync>()
let deadline = 0

/** SQL calls it on its way: true, or the end of the statement. */
database.function('in_time', () => {
  if (Date.now() > deadline) throw new Error('late')
  return 1
})

parentPort?.on('message', (question: Question) => {
  deadline = question.deadline
  const begun = performance.now()
  let answer: Answer
  try {
    const row = prepared(question.text).get(...(question.values as SQLInputValue[])) as unknown as Row
    answer = { row, took: performance.now() - begun }
  } catch (error) {
    answer = { isLate: Date.now() > deadline, error }
  }
  parentPort?.postMessage(answer)
})

function prepared(text: string): StatementSync {
  const known = statements.get(text)
  if (known) return known
  if (statements.size >= limit) statements.clear()
  const made = database.prepare(text)
  made.setReturnArrays(true)
  statements.set(text, made)
  return made
}
