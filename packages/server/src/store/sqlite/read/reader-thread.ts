/** A reader thread: reads one row per request, and stops after its time limit. */
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { openSqlite } from '../../connection/open-sqlite.ts'
import type { Row } from '../statement.ts'
import { PageStarts } from './page-start.ts'
import { isTooBig, StatementClock, StatementStopped } from './statement-clock.ts'

export interface ReadRequest {
  readonly text: string
  readonly values: readonly unknown[]
  /** The time limit. */
  readonly timeoutMs: number
}

export type ReadResponse =
  | { readonly row: Row; readonly tookMs: number }
  | { readonly fault: 'timeout' | 'large' | 'other'; readonly error: unknown; readonly errcode?: unknown }

export interface ThreadOptions {
  readonly path: string
  /** The maximum size of a string, in bytes (default: no limit). */
  readonly maxBytes?: number | undefined
}

const maxStatements = 100

const { path, maxBytes } = workerData as ThreadOptions
const database = openSqlite(path, { readOnly: true, timeout: 5000 })
// Node 22 lacks this limit, so the strings are measured after the read.
const measuredBytes = 'limits' in database ? undefined : maxBytes
if (maxBytes !== undefined && 'limits' in database) database.limits.length = maxBytes
const statements = new Map<string, StatementSync>()
const clock = StatementClock.of(database)
PageStarts.of(database)

parentPort?.on('message', ({ text, values, timeoutMs }: ReadRequest) => {
  let response: ReadResponse
  try {
    const statement = prepare(text)
    // The time of preparing says nothing about the next read.
    const startMs = performance.now()
    const row = clock.run(startMs + timeoutMs, () => statement.get(...(values as SQLInputValue[])))
    response = isTooLong(row)
      ? { fault: 'large', error: new Error('string or blob too big') }
      : { row: row as unknown as Row, tookMs: performance.now() - startMs }
  } catch (error) {
    // An error loses its code when it is posted to another thread.
    response = { fault: faultOf(error), error, errcode: (error as { errcode?: unknown }).errcode }
  }
  parentPort?.postMessage(response)
})

function isTooLong(row: unknown): boolean {
  if (measuredBytes === undefined || !Array.isArray(row)) return false
  return row.some((value) => typeof value === 'string' && Buffer.byteLength(value) > measuredBytes)
}

function faultOf(error: unknown): 'timeout' | 'large' | 'other' {
  if (error instanceof StatementStopped) return 'timeout'
  return isTooBig(error) ? 'large' : 'other'
}

function prepare(text: string): StatementSync {
  const cached = statements.get(text)
  if (cached) return cached
  if (statements.size >= maxStatements) statements.clear()
  const statement = database.prepare(text)
  statement.setReturnArrays(true)
  statements.set(text, statement)
  return statement
}
