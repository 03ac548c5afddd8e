/** The reasons for which the database cannot be opened, for the operator who starts the service. */
import { DatabaseError } from '../../database-error.ts'
import { serverError } from '../../fault.ts'
import type { PostgresUrl } from '../../postgres-url.ts'

/** A host that must not be written to. */
export class NotWritable extends Error {}

/** A pooler that gives the sessions of a connection to others between its transactions. */
export class SharedSession extends Error {}

/** The error for the operator, without the password. */
export function startError(url: PostgresUrl, error: unknown): DatabaseError {
  const [reason, fix] = reasonOf(error)
  return new DatabaseError(url.redactedUrl, `: ${reason}`, fix)
}

function reasonOf(error: unknown): readonly [string, string] {
  const message = error instanceof Error ? error.message : `${error}`
  const code = serverError(error)?.code
  if (error instanceof NotWritable) return [message, 'Use the host of the primary, or list all hosts.']
  if (error instanceof SharedSession)
    return [
      'the pooler shares sessions between connections (transaction pooling)',
      'Use session pooling, such as pool_mode = session of PgBouncer, or connect to PostgreSQL directly.',
    ]
  if (code === '3D000') return ['the database does not exist', 'Create it, or use an existing one.']
  if (code?.startsWith('28')) return [message, 'Check the user name and the password in the URL.']
  if (code !== undefined) return [message, 'Try again when the server is ready.']
  const system = error instanceof Error && 'code' in error ? `${error.code}` : message
  if (unreachablePattern.test(system))
    return [`no server responds (${system})`, 'Start the server, or correct the host and port.']
  return [message, 'Check the URL and its parameters.']
}

/** Errors of a host that cannot be reached. */
const unreachablePattern = /^(ECONN|EHOST|ENET|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|timeout|Connection terminated)/
