/** If-Match on reads (RFC 9110): checked after a successful read, and before If-None-Match. */
import { type Operation, ProblemError, problem } from '@nomen/core'
import { matchesStrongly } from '../entity-tag.ts'
import type { ParsedRequest } from '../read/parsed-request.ts'

/** Throws `precondition-failed` if If-Match does not match. A response without an ETag matches `*` only. */
export function checkIfMatch(operation: Operation, { ifMatch }: ParsedRequest, etag?: string): void {
  if (ifMatch === undefined || ifMatch === '*') return
  const { method, path, shape } = operation
  if (etag === undefined)
    throw preconditionFailed(`${method} ${path} returns no ETag, so If-Match cannot match.`, 'Remove If-Match.')
  if (matchesStrongly(ifMatch, etag)) return
  throw preconditionFailed(
    `The ETag of the ${shape.noun.name} does not match If-Match.`,
    'Remove If-Match to read the current record.',
  )
}

function preconditionFailed(detail: string, hint: string): ProblemError {
  return new ProblemError(problem('precondition-failed', { detail, hint }))
}
