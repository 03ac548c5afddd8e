/** Responses to requests without a valid token: a problem, and the WWW-Authenticate challenge of RFC 6750. */
import { ProblemError, problem } from '@nomen/core'
import { cut } from '../foundation/quoted.ts'
import { problemResponse, type TextResponse } from '../message/text-response.ts'

/** Thrown with the reason why a token is rejected. It never contains a part of the token. */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken'
  readonly hint: string

  constructor(detail: string, hint: string) {
    super(detail)
    this.hint = hint
  }
}

export interface Challenger {
  /** The request has no token. */
  tokenMissing(detail: string, hint: string): TextResponse
  /** The request has several Authorization headers. */
  duplicateHeader(): TextResponse
  /** The token is invalid. */
  invalidToken(reason: InvalidToken): TextResponse
  /** The token is valid but lacks the scope. */
  insufficientScope(scope: string, scopes: readonly string[]): TextResponse
}

/** Creates the responses for a realm. */
export function challenger(realm: string): Challenger {
  const challenge = (...parameters: readonly (readonly [name: string, value: string])[]) => ({
    'www-authenticate': `Bearer ${[['realm', realm] as const, ...parameters].map(([name, value]) => `${name}="${quotedStringText(value)}"`).join(', ')}`,
  })
  return {
    tokenMissing: (detail, hint) => problemResponse(problem('token-required', { detail, hint }), challenge()),
    duplicateHeader: () => {
      const detail = 'The request has more than one Authorization header.'
      const invalidHeader = problem('invalid-header', { detail, hint: 'Send one Authorization header.' })
      return problemResponse(invalidHeader, challenge(['error', 'invalid_request'], ['error_description', detail]))
    },
    invalidToken: ({ message, hint }) =>
      problemResponse(
        problem('invalid-token', { detail: message, hint }),
        challenge(['error', 'invalid_token'], ['error_description', message]),
      ),
    insufficientScope: (scope, scopes) => {
      const detail = `This operation requires ${namedScope(scope)}; the token has ${shownScopes(scopes)}.`
      const hint = `Request a token with ${namedScope(scope)} from the issuer.`
      return problemResponse(
        problem('insufficient-scope', { detail, hint }),
        challenge(['error', 'insufficient_scope'], ['error_description', detail], ['scope', scope]),
      )
    },
  }
}

/** The scopes of an operation for a sentence: `the scope user:read`. */
export function namedScope(scope: string): string {
  return scope.includes(' ') ? `the scopes ${scope.split(' ').join(' and ')}` : `the scope ${scope}`
}

/** The maximum number of scopes in a message; a token may have hundreds. */
const maxShown = 10

/** The scopes of a caller for a sentence. */
export function shownScopes(scopes: readonly string[]): string {
  if (scopes.length === 0) return 'none'
  const names = scopes
    .slice(0, maxShown)
    .map((scope) => cut(scope))
    .join(' ')
  return scopes.length > maxShown ? `${names} and ${scopes.length - maxShown} more` : names
}

/** RFC 6750 allows printable ASCII without quotes and backslashes. */
function quotedStringText(text: string): string {
  return text.replace(/["\\]/g, "'").replace(/[^ -~]/g, '?')
}

/** The problem if the keys of the issuer cannot be fetched, so that the token cannot be verified. */
export function issuerUnavailableProblem(issuer: string): ProblemError {
  const texts = {
    detail: `The keys of ${issuer} cannot be fetched, so the token cannot be verified now.`,
    hint: 'Try again in a moment.',
  }
  return new ProblemError(problem('unavailable', texts))
}
