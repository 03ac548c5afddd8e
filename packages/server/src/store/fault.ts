/** What the errors of databases mean: SQLSTATEs of PostgreSQL, result codes of SQLite. Which are retried is in `retry.ts`. */
import { Conflict, ConnectionLost, StoreUnavailable } from './error.ts'

export type Fault =
  | 'busy' // Another process holds the lock of the database file.
  | 'conflict' // Other writes were in the way, and this one was rolled back.
  | 'demand' // A check, an exclusion or a trigger of the database refuses the row.
  | 'disk-failure'
  | 'disk-full'
  | 'lock-timeout' // Another transaction has locked the row or table.
  | 'lost' // The connection broke, and nothing was written.
  | 'no-target' // A reference to a missing record, or to a number that no identity can have.
  | 'not-prepared' // The statement that was to prepare this one failed.
  | 'outdated-schema' // Another version of the service has changed the schema.
  | 'read-only' // The server is a standby, or the file cannot be written.
  | 'taken' // A unique value that another record has.
  | 'timeout' // The statement took longer than it may.
  | 'too-long' // A value is too long for its index, or a result for the server.
  | 'unavailable' // Out of memory or connections, shutting down, or the file cannot be opened.

/** By code, or by class: its first two characters. */
const sqlStates: Readonly<Record<string, Fault>> = {
  '40001': 'conflict', // serialization_failure
  '40P01': 'conflict', // deadlock_detected
  '08': 'lost', // connection_exception
  '26000': 'not-prepared', // invalid_sql_statement_name
  '55P03': 'lock-timeout', // lock_not_available
  '57014': 'timeout', // query_canceled
  '23505': 'taken', // unique_violation
  '23503': 'no-target', // foreign_key_violation
  '22003': 'no-target', // numeric_value_out_of_range
  '23514': 'demand', // check_violation
  '23P01': 'demand', // exclusion_violation
  P0001: 'demand', // raise_exception
  '54000': 'too-long', // program_limit_exceeded
  '23502': 'outdated-schema', // not_null_violation
  '42703': 'outdated-schema', // undefined_column
  '42P01': 'outdated-schema', // undefined_table
  '42804': 'outdated-schema', // datatype_mismatch
  '25006': 'read-only', // read_only_sql_transaction
  '53': 'unavailable', // insufficient_resources
  '57P01': 'unavailable', // admin_shutdown
  '57P02': 'unavailable', // crash_shutdown
  '57P03': 'unavailable', // cannot_connect_now
  '57P04': 'unavailable', // database_dropped
  '57P05': 'unavailable', // idle_session_timeout
  '58': 'unavailable', // system_error
}

/** By extended code, or by its primary code: the last eight bits. */
const sqliteCodes: Readonly<Record<number, Fault>> = {
  5: 'busy',
  6: 'unavailable', // locked
  8: 'read-only',
  10: 'disk-failure',
  13: 'disk-full',
  14: 'unavailable', // cannot open
  787: 'no-target',
  1555: 'taken', // primary key
  2067: 'taken', // unique
}

/** An error that a PostgreSQL server has sent. An error without one means that the connection broke. */
export interface ServerError extends Error {
  readonly code: string
  readonly severity?: string
  readonly constraint?: string
  readonly detail?: string
}

export function serverError(error: unknown): ServerError | undefined {
  return isServerError(error) ? error : undefined
}

function isServerError(error: unknown): error is ServerError {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return false
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)
}

/** Undefined if the error is not one of a database, or is not expected. */
export function faultOf(error: unknown): Fault | undefined {
  if (error instanceof Conflict) return 'conflict'
  if (error instanceof ConnectionLost) return 'lost'
  if (isServerError(error)) {
    // The server ends the connection.
    if (error.severity === 'FATAL' || error.severity === 'PANIC') return 'lost'
    return sqlStates[error.code] ?? sqlStates[error.code.slice(0, 2)]
  }
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined
  return code === undefined ? undefined : (sqliteCodes[code] ?? sqliteCodes[code & 0xff])
}

const passing: readonly (Fault | undefined)[] = [
  'busy',
  'lock-timeout',
  'timeout',
  'read-only',
  'disk-full',
  'disk-failure',
  'unavailable',
]

/** Whether the database may be able to do it in a moment. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof StoreUnavailable || passing.includes(faultOf(error))
}
