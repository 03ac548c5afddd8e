/** Which problems an operation may answer. */

import type { CustomOperation } from '../resource/operation.ts'
import type { ProblemCode } from '../wire/problem.ts'
import { type OperationKind, taggedKinds } from './kind.ts'

export function problemsOf(kind: OperationKind, isNested: boolean, isConditional: boolean): readonly ProblemCode[] {
  const codes: ProblemCode[] = ['unknown-parameter']
  if (kind === 'list') codes.push('invalid-parameter', 'list-too-large', 'body-not-allowed', 'too-expensive')
  if (kind === 'read' || kind === 'lookup') codes.push('body-not-allowed')
  if (kind !== 'list' && kind !== 'create') codes.push('record-not-found')
  else if (isNested) codes.push('record-not-found')
  if (kind === 'create' || kind === 'replace' || kind === 'update') {
    codes.push(
      'malformed-json',
      'invalid-body',
      'unsupported-media-type',
      'body-too-large',
      'identity-mismatch',
      'value-taken',
    )
    codes.push('reference-not-found', 'rule-broken')
  }
  if (kind === 'create') codes.push('invalid-header', 'idempotency-key-reused')
  if (kind === 'replace' || kind === 'update') codes.push('transition-not-allowed')
  // A list has no tag, and is refused where one is named.
  if (taggedKinds.includes(kind) || kind === 'list') codes.push('precondition-failed')
  if (isConditional) codes.push('precondition-required')
  if (kind === 'delete') codes.push('still-referenced')
  if (kind === 'link') codes.push('rule-broken')
  // What is sent without need is read all the same.
  if (kind === 'delete' || kind === 'link' || kind === 'unlink') codes.push('body-too-large')
  return codes
}

/** Of an operation of the service's own: those of what it takes, and those that it is declared with. */
export function customProblems({ options }: CustomOperation, isOnOne: boolean): readonly ProblemCode[] {
  const { method, query, body } = options
  const codes: ProblemCode[] = ['unknown-parameter']
  if (query) codes.push('invalid-parameter')
  if (isOnOne) codes.push('record-not-found')
  if (body) codes.push('malformed-json', 'invalid-body', 'unsupported-media-type')
  else codes.push('body-not-allowed')
  if (method !== 'GET') codes.push('body-too-large')
  if (Object.values(body ?? {}).some(({ spec }) => spec.kind === 'reference')) codes.push('reference-not-found')
  // A change is refused with any condition, and what is read has no tag that one could name.
  codes.push(method === 'GET' ? 'precondition-failed' : 'invalid-header')
  return [...new Set([...codes, ...(options.problems ?? [])])]
}
