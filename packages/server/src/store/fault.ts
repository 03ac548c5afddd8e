/** What the errors of databases mean. Which of them are retried is in `retry.ts`. */
import { Conflict, ConnectionLost, StoreUnavailable } from './error.ts'

/** SQLSTATEs of PostgreSQL, or their classes of two characters; result codes of SQLite, extended or primary. */
const codes = {
  /** Other writes were in the way, and this one was rolled back: serialization failure, deadlock. */
  conflict: ['40001', '40P01'],
  /** The connection broke, and nothing was written. */
  lost: ['08'],
  /** The statement that was to prepare this one failed. */
  'not-prepared': ['26000'],
  /** Another process holds the lock of the database file. */
  busy: [5],
  /** Another transaction has locked the row or table. */
  'lock-timeout': ['55P03'],
  /** The statement took longer than it may. */
  timeout: ['57014'],
  /** A unique value that another record has; in SQLite also a primary key. */
  taken: ['23505', 2067, 1555],
  /** A reference to a missing record, or to a number that no identity can have. */
  'no-target': ['23503', '22003', 787],
  /** A check, an exclusion or a trigger of the database refuses the row. */
  demand: ['23514', '23P01', 'P0001'],
  /** A value is too long for its index, or a result for the server. */
  'too-long': ['54000'],
  /** Another version of the service has changed the schema: a missing value, column or table, or another type. */
  'outdated-schema': ['23502', '42703', '42P01', '42804'],
  /** The server is a standby, or the file cannot be written. */
  'read-only': ['25006', 8],
  'disk-full': [13],
  /** Reading or writing the file failed. */
  'disk-failure': [10],
  /** Out of memory or connections, shutting down, a failure of the system; a table or file that cannot be opened. */
  unavailable: ['53', '57P01', '57P02', '57P03', '57P04', '57P05', '58', 6, 14],
}

export type Fault = keyof typeof codes

const faults: ReadonlyMap<string | number, Fault> = new Map(
  (Object.keys(codes) as Fault[]).flatMap((fault) => codes[fault].map((code) => [code, fault] as const)),
)

/** An error that a PostgreSQL server has sent. */
interface ServerError extends Error {
  readonly code: string
  readonly severity?: string
  readonly constraint?: string
  readonly detail?: string
}

/** Undefined if the error has another source, such as a connection that broke. */
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
    // With these, the server ends the connection.
    if (error.severity === 'FATAL' || error.severity === 'PANIC') return 'lost'
    return faults.get(error.code) ?? faults.get(error.code.slice(0, 2))
  }
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
  return faults.get(code) ?? faults.get(code & 0xff)
}

const passing = ['busy', 'lock-timeout', 'timeout', 'read-only', 'disk-full', 'disk-failure', 'unavailable']

/** Whether the database may be able to do it in a moment. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof StoreUnavailable || passing.includes(`${faultOf(error)}`)
}
