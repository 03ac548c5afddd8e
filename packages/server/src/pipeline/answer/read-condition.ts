/** If-Match on what is read, as RFC 9110 has it: looked at once the read has gone well, and before If-None-Match. */
import { type Operation, ProblemError, problem } from '@nomen/core'
import { matchesStrongly } from '../entity-tag.ts'
import type { Ask } from '../read/ask.ts'

/** Throws the problem of a read whose If-Match names something else. What has no tag is named by `*` alone. */
export function checkRead(operation: Operation, { ifMatch }: Ask, tag?: string): void {
  if (ifMatch === undefined || ifMatch === '*') return
  if (tag === undefined) throw failed(untagged(operation), 'Leave If-Match out.')
  if (matchesStrongly(ifMatch, tag)) return
  throw failed(
    `The ${operation.shape.noun.name} is not the one that If-Match names.`,
    'Leave If-Match out to read it as it is now.',
  )
}

function untagged({ method, path }: Operation): string {
  return `What ${method} ${path} answers has no tag that If-Match could name.`
}

function failed(detail: string, hint: string): ProblemError {
  return new ProblemError(problem('precondition-failed', { detail, hint }))
}
