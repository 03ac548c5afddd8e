/** The header Last-Event-ID, with which a client continues an event stream. */
import { ProblemError, problem } from '@nomen/core'
import { quoted } from '../../foundation/quoted.ts'
import type { RawRequest } from '../read/parsed-request.ts'

/** A client that connects again says which event it has received last. */
export function lastEventId({ headers }: RawRequest): number | undefined {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return undefined
  if (typeof id === 'string' && /^\d{1,15}$/.test(id)) return Number(id)
  throw invalidEventId(id)
}

export function invalidEventId(id: unknown): ProblemError {
  return new ProblemError(
    problem('invalid-header', {
      detail: `Last-Event-ID ${quoted(id)} is not the ID of an event of this service.`,
      hint: 'Send the ID of the last event that you have received. If the database was restored from a backup, read all records again.',
    }),
  )
}

export function deletedEventId(id: number, deleted: number): ProblemError {
  return new ProblemError(
    problem('invalid-header', {
      detail: `Last-Event-ID ${id} is too old: changes up to ${deleted} may have been deleted.`,
      hint: `Read all records again, or follow the changes after ${deleted}.`,
    }),
  )
}
