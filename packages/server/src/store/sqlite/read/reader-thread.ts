/** What runs on a thread of its own: it reads one row at a time, and stops where time is up. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { Row } from '../statement.ts'
import { isTooBig, StatementClock, Stopped } from './statement-clock.ts'

export interface Question {
  readonly text: string
  readonly values: readonly unknown[]
  /** How long it may take, in milliseconds. */
  readonly timeoutMs: number
}

export type Answer =
  | { readonly row: Row; readonly took: number }
  | { readonly fault: 'late' | 'large' | 'other'; readonly error: unknown }

export interface ThreadOptions {
  readonly path: string
  /** The longest text that is read, in bytes; any where left out. */
  readonly maxBytes?: number | undefined
}

/** How many statements stay prepared. */
const limit = 100

const { path, maxBytes } = workerData as ThreadOptions
const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
// Older versions of Node cannot limit it: there it is looked at when it is read.
if (maxBytes !== undefined && 'limits' in database) database.limits.length = maxBytes
const statements = new Map<string, StatementSync>()
const clock = StatementClock.of(database)

parentPort?.on('message', ({ text, values, timeoutMs }: Question) => {
  const begun = performance.now()
  let answer: Answer
  try {
    const row = clock.run(begun + timeoutMs, () => prepared(text).get(...(values as SQLInputValue[])))
    answer = { row: row as unknown as Row, took: performance.now() - begun }
  } catch (error) {
    answer = { fault: faultOf(error), error }
  }
  parentPort?.postMessage(answer)
})

function faultOf(error: unknown): 'late' | 'large' | 'other' {
  if (error instanceof Stopped) return 'late'
  return isTooBig(error) ? 'large' : 'other'
}

function prepared(text: string): StatementSync {
  const known = statements.get(text)
  if (known) return known
  if (statements.size >= limit) statements.clear()
  const made = database.prepare(text)
  made.setReturnArrays(true)
  statements.set(text, made)
  return made
}
