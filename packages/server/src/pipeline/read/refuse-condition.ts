/** Rejects If-Match and If-None-Match if there is no ETag to compare. Clients rely on a condition, so it must not be ignored. */
import { type Operation, ProblemError, problem } from '@nomen/core'
import type { RawRequest } from './parsed-request.ts'

export function refuseConditions({ method, path, kind }: Operation, { headers }: RawRequest): void {
  const name = conditions.find((condition) => headers[condition.toLowerCase()] !== undefined)
  if (name === undefined) return
  const reason = kind === 'create' ? 'a new record has no ETag yet' : 'the operation has no ETag'
  const detail = `${method} ${path} does not support ${name}: ${reason}.`
  throw new ProblemError(problem('invalid-header', { detail, hint: 'Remove the header.' }))
}

const conditions = ['If-Match', 'If-None-Match']
