/** The reasons for which the database cannot be opened, for the operator who starts the service. */

import type { PostgresUrl } from '../../connection/postgres-url.ts'
import { DatabaseError } from '../../fault/database-error.ts'
import { serverError } from '../../fault/fault.ts'
import { firstVersion } from './server-version.ts'

/** A host that must not be written to. */
export class NotWritable extends Error {}

/** A pooler that gives the sessions of a connection to others between its transactions. */
export class SharedSession extends Error {}

/** The direct URL leads to another database than the one of the pooler. */
export class OtherDatabase extends Error {}

/** A setting of the database user that a shared session cannot change. */
export class SettingRejected extends Error {
  readonly fix: string

  constructor(name: string, value: string, role: string) {
    super(`${name} is "${value}", but with transaction pooling it must be "read committed"`)
    this.fix = `Run: alter role ${role} set ${name} = 'read committed'. Then restart the pooler, or close its server connections.`
  }
}

/** PostgreSQL before the first supported version. */
export class OldServer extends Error {
  constructor(version: string) {
    super(`PostgreSQL ${version} is not supported`)
  }
}

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
      'the pooler uses transaction pooling, but migrations and bulk loads need session pooling or a direct connection',
      'Set DATABASE_DIRECT_URL to the URL of PostgreSQL itself, or of a pooler with session pooling.',
    ]
  if (error instanceof OtherDatabase)
    return [
      'DATABASE_DIRECT_URL leads to another database or schema than DATABASE_URL',
      'Use the same database and schema, without the pooler.',
    ]
  if (error instanceof OldServer) return [message, `Upgrade the server to PostgreSQL ${firstVersion} or later.`]
  if (error instanceof SettingRejected) return [message, error.fix]
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
