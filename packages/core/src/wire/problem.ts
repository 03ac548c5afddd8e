/** Problems: every error that a service answers, as RFC 9457 has it. All codes stand here. */

/** Status and title by code. */
export const problems = {
  // The request cannot be understood.
  'malformed-url': [400, 'The address cannot be read'],
  'malformed-json': [400, 'The body is no JSON'],
  'invalid-body': [400, 'The body does not fit'],
  'body-not-allowed': [400, 'This request takes no body'],
  'unknown-parameter': [400, 'There is no such parameter'],
  'invalid-parameter': [400, 'A parameter does not fit'],
  'list-too-large': [400, 'The list is too large'],
  'invalid-header': [400, 'A header does not fit'],
  'bad-request': [400, 'The request cannot be read'],
  // It may not be made here, or not by this caller.
  'token-required': [401, 'A token is required'],
  'invalid-token': [401, 'The token is not accepted'],
  'insufficient-scope': [403, 'The token does not allow this'],
  'foreign-host': [403, 'This host name is not served'],
  'cross-site-request': [403, 'A page of another site may not do this'],
  'out-of-sight': [403, 'The record would be out of sight'],
  // There is nothing there.
  'path-not-found': [404, 'There is no such path'],
  'record-not-found': [404, 'There is no such record'],
  gone: [410, 'It is served no more'],
  'method-not-allowed': [405, 'The path does not take this method'],
  // It did not arrive.
  'request-timeout': [408, 'The request did not arrive in time'],
  // It contradicts what is stored.
  'identity-mismatch': [409, 'Path and body name different records'],
  'value-taken': [409, 'Another record has this value'],
  'still-referenced': [409, 'Other records point at this one'],
  'precondition-failed': [412, 'The record has changed'],
  'precondition-required': [428, 'If-Match is required'],
  // It is too large or of the wrong kind.
  'body-too-large': [413, 'The body is too large'],
  'unsupported-media-type': [415, 'The body is of the wrong media type'],
  'header-too-large': [431, 'The request line or the headers are too large'],
  // There are too many.
  'too-many-requests': [429, 'Too many requests'],
  // It is understood and breaks a rule.
  'reference-not-found': [422, 'A reference points at no record'],
  'transition-not-allowed': [422, 'This change of state is not allowed'],
  'rule-broken': [422, 'A rule is broken'],
  'idempotency-key-reused': [422, 'The key was used for another request'],
  // The service is at fault, or not there.
  internal: [500, 'The service failed'],
  'unknown-method': [501, 'The method is not known'],
  'unsupported-transfer-encoding': [501, 'The transfer coding is not known'],
  'unsupported-http-version': [505, 'The version of HTTP is not served'],
  overloaded: [503, 'The service is too busy'],
  unavailable: [503, 'The service is not available'],
  'too-expensive': [503, 'The list takes too long'],
} as const satisfies { readonly [code: string]: readonly [status: number, title: string] }

export type ProblemCode = keyof typeof problems

/** One fault among several: where it is, in the body (a JSON pointer) or in the query, and what is wrong there. */
export interface FieldError {
  readonly pointer?: string
  readonly parameter?: string
  readonly detail: string
}

export interface ProblemParts {
  /** What happened, with the real value. */
  readonly detail: string
  /** What to do. */
  readonly hint?: string
  readonly errors?: readonly FieldError[]
}

/** A problem document. */
export interface Problem extends ProblemParts {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: ProblemCode
}

/**
 * Makes the problem document of a code.
 *
 * ```ts
 * problem('unknown-parameter', { detail: '/user has no parameter "lastname".', hint: 'Did you mean "lastName"?' })
 * ```
 */
export function problem(code: ProblemCode, { detail, hint, errors }: ProblemParts): Problem {
  const [status, title] = problems[code]
  return {
    type: `urn:nomen:problem:${code}`,
    title,
    status,
    detail,
    code,
    ...(hint !== undefined && { hint }),
    ...(errors !== undefined && { errors }),
  }
}
