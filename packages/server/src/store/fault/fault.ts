/** Classifies database errors. `retry.ts` decides which of them are retried. */
import { Conflict, ConnectionLost, StoreUnavailable } from './error.ts'

/** SQLSTATEs of PostgreSQL, or their classes of two characters; result codes of SQLite, extended or primary. */
const codes = {
  /** A concurrent write interfered, and this one was rolled back: serialization failure, deadlock. */
  conflict: ['40001', '40P01'],
  /** The connection broke, and nothing was written. */
  lost: ['08'],
  /** The prepared statement does not exist, because its preparation failed. */
  'not-prepared': ['26000'],
  /** Another process holds the lock of the database file. */
  busy: [5],
  /** Another transaction has locked the row or table. */
  'lock-timeout': ['55P03'],
  /** The statement exceeded its timeout. */
  timeout: ['57014'],
  /** A unique value of another record; in SQLite also a primary key. */
  taken: ['23505', 2067, 1555],
  /** A reference to a missing record. */
  'no-target': ['23503', 787],
  /** A number that its column cannot store. */
  'out-of-range': ['22003'],
  /** A check, an exclusion constraint or a trigger of the database rejects the row. */
  constraint: ['23514', '23P01', 'P0001'],
  /** A value is too long for its index, or a result for the server. */
  'too-long': ['54000'],
  /**
   * Another version of the service has changed the schema: a missing value, column, table or function, or another type.
   * SQLite has one code for every statement that does not fit the schema.
   */
  'outdated-schema': ['23502', '42703', '42P01', '42804', '42883', 1],
  /** The server is a standby, or the file cannot be written. */
  'read-only': ['25006', 8],
  'disk-full': [13],
  /** Reading or writing the file failed. */
  'disk-failure': [10],
  /** The file is damaged. */
  damaged: [11],
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

const temporaryFaults = ['busy', 'lock-timeout', 'timeout', 'read-only', 'disk-full', 'disk-failure', 'unavailable']

/** Whether the database may be able to do it later. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof StoreUnavailable || temporaryFaults.includes(`${faultOf(error)}`)
}
