/** Problem documents (RFC 9457): the error responses of a service. All codes are in this file. */

/**
 * The HTTP status and the title of every problem (error response), by code.
 *
 * @example
 * ```ts
 * const [status, title] = problems['value-taken'] // 409, 'Another record has this value'
 * ```
 */
export const problems = {
  // The request is malformed.
  'malformed-url': [400, 'The URL is malformed'],
  'malformed-json': [400, 'The body is not valid JSON'],
  'invalid-body': [400, 'The body is invalid'],
  'body-not-allowed': [400, 'This request takes no body'],
  'unknown-parameter': [400, 'Unknown parameter'],
  'invalid-parameter': [400, 'A parameter is invalid'],
  'list-too-large': [400, 'The list is too large'],
  'invalid-header': [400, 'A header is invalid'],
  'bad-request': [400, 'The request cannot be read'],
  // The caller may not make the request.
  'token-required': [401, 'A token is required'],
  'invalid-token': [401, 'The token is not accepted'],
  'insufficient-scope': [403, 'The token does not allow this'],
  'tenant-required': [403, 'The caller has no tenant'],
  'foreign-host': [403, 'This host name is not allowed'],
  'cross-site-request': [403, 'Cross-site requests are not allowed'],
  'out-of-sight': [403, 'The record would not be visible to you'],
  // The target does not exist.
  'path-not-found': [404, 'The path does not exist'],
  'record-not-found': [404, 'The record does not exist'],
  'history-too-short': [404, 'The history does not go back that far'],
  gone: [410, 'The endpoint has been removed'],
  'method-not-allowed': [405, 'The path does not support this method'],
  // The request is incomplete.
  'request-timeout': [408, 'The request did not arrive in time'],
  // The request conflicts with the stored data.
  'identity-mismatch': [409, 'Path and body refer to different records'],
  'value-taken': [409, 'Another record has this value'],
  'record-exists': [409, 'The record already exists'],
  'still-referenced': [409, 'Other records reference this one'],
  'precondition-failed': [412, 'A precondition of the request is not met'],
  'precondition-required': [428, 'If-Match is required'],
  // The request is too large or of the wrong media type.
  'body-too-large': [413, 'The body is too large'],
  'unsupported-media-type': [415, 'The body is of the wrong media type'],
  'header-too-large': [431, 'The request line or the headers are too large'],
  // The caller sends too many requests.
  'too-many-requests': [429, 'Too many requests'],
  // The request breaks a rule.
  'reference-not-found': [422, 'A referenced record does not exist'],
  'transition-not-allowed': [422, 'This change of state is not allowed'],
  'rule-broken': [422, 'The request violates a rule'],
  'idempotency-key-reused': [422, 'The Idempotency-Key was used for another request'],
  // The service failed or is not available.
  internal: [500, 'Internal server error'],
  'unknown-method': [501, 'The method is not supported'],
  'unsupported-transfer-encoding': [501, 'The transfer coding is not supported'],
  'unsupported-http-version': [505, 'The HTTP version is not supported'],
  overloaded: [503, 'The service is too busy'],
  unavailable: [503, 'The service is not available'],
  'too-expensive': [503, 'The list takes too long'],
} as const satisfies { readonly [code: string]: readonly [status: number, title: string] }

/** The stable code of a problem. */
export type ProblemCode = keyof typeof problems

/** The error of one property or parameter. */
export interface FieldError {
  /** The JSON pointer of the property in the body: `/email`. */
  readonly pointer?: string
  /** The name of the query parameter. */
  readonly parameter?: string
  /** The reason. */
  readonly detail: string
}

/** The parts of a problem that differ for each request. */
export interface ProblemParts {
  /** The reason, with the received value. */
  readonly detail: string
  /** Advice on how to fix it. */
  readonly hint?: string
  /** The error of each invalid property or parameter. */
  readonly errors?: readonly FieldError[]
}

/** A problem document (RFC 9457): the JSON body of an error response. */
export interface Problem extends ProblemParts {
  /** A URN with the code: `urn:nomen:problem:value-taken`. */
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: ProblemCode
}

/**
 * Creates the problem document (RFC 9457, error response) of a code.
 *
 * @example
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
