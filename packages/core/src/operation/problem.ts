/** The problems that an operation may return. */

import type { CustomOperation } from '../resource/operation.ts'
import type { ProblemCode } from '../wire/problem.ts'
import { etagKinds, type OperationKind } from './kind.ts'

/** The additional problems of a list that clients follow. */
export const followProblems = ['invalid-header', 'too-many-requests'] as const satisfies readonly ProblemCode[]

/** The additional problems of a read with the parameter `at`. */
export const historyProblems = ['invalid-parameter', 'history-too-short'] as const satisfies readonly ProblemCode[]

/** The problems of a request body with a record. */
const writeProblems = [
  'malformed-json',
  'invalid-body',
  'unsupported-media-type',
  'body-too-large',
  'identity-mismatch',
  'value-taken',
  'reference-not-found',
  'rule-broken',
] as const satisfies readonly ProblemCode[]

export function problemsOf(kind: OperationKind, isNested: boolean, requiresIfMatch: boolean): readonly ProblemCode[] {
  const codes: ProblemCode[] = ['unknown-parameter']
  if (kind === 'list') codes.push('invalid-parameter', 'list-too-large', 'body-not-allowed', 'too-expensive')
  if (kind === 'read' || kind === 'lookup') codes.push('body-not-allowed')
  if (isNested || (kind !== 'list' && kind !== 'create')) codes.push('record-not-found')
  if (kind === 'create' || kind === 'replace' || kind === 'update') codes.push(...writeProblems)
  if (kind === 'create') codes.push('invalid-header', 'idempotency-key-reused')
  if (kind === 'replace' || kind === 'update') codes.push('transition-not-allowed')
  // A list has no ETag, so only `If-Match: *` succeeds.
  if (etagKinds.includes(kind) || kind === 'list') codes.push('precondition-failed')
  if (requiresIfMatch) codes.push('precondition-required')
  if (kind === 'restore')
    codes.push('record-exists', 'value-taken', 'reference-not-found', 'rule-broken', 'invalid-header')
  if (kind === 'erase') codes.push('invalid-header')
  if (kind === 'delete') codes.push('still-referenced')
  if (kind === 'link' || kind === 'unlink') codes.push('rule-broken')
  // The service reads a body that a client sends although it is not needed.
  if (['delete', 'link', 'unlink', 'restore', 'erase'].includes(kind)) codes.push('body-too-large')
  return codes
}

/** The problems of a custom operation: those of its inputs, and those of its declaration. */
export function customProblems({ options }: CustomOperation, hasRecord: boolean): readonly ProblemCode[] {
  const { method, query, body } = options
  const codes: ProblemCode[] = ['unknown-parameter']
  if (query) codes.push('invalid-parameter')
  if (hasRecord) codes.push('record-not-found')
  if (body) codes.push('malformed-json', 'invalid-body', 'unsupported-media-type')
  else codes.push('body-not-allowed')
  if (method !== 'GET') codes.push('body-too-large')
  if (Object.values(body ?? {}).some(({ spec }) => spec.kind === 'reference')) codes.push('reference-not-found')
  // A custom GET has no ETag, so only `If-Match: *` succeeds; other methods do not support conditional headers.
  codes.push(method === 'GET' ? 'precondition-failed' : 'invalid-header')
  return [...new Set([...codes, ...(options.problems ?? [])])]
}
