/** Rejects If-Match and If-None-Match if there is no ETag to compare. Clients rely on a condition, so it must not be ignored. */
import { type Operation, type OperationKind, ProblemError, problem } from '@nomen/core'
import type { RawRequest } from './parsed-request.ts'

export function rejectConditions({ method, path, kind }: Operation, { headers }: RawRequest): void {
  const name = conditions.find((condition) => headers[condition.toLowerCase()] !== undefined)
  if (name === undefined) return
  const detail = `${method} ${path} does not support ${name}: ${reasons[kind] ?? 'the operation has no ETag'}.`
  throw new ProblemError(problem('invalid-header', { detail, hint: 'Remove the header.' }))
}

const conditions = ['If-Match', 'If-None-Match']

const reasons: { readonly [Kind in OperationKind]?: string } = {
  create: 'a new record has no ETag yet',
  restore: 'a deleted record has no ETag',
}
