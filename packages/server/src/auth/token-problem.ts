/** Requests that are not let in for want of a good token: the problem, and the challenge of RFC 6750 beside it. */
import { ProblemError, problem } from '@nomen/core'
import { cut } from '../foundation/quoted.ts'
import { type Answer, problemAnswer } from '../message/answer.ts'

/** Thrown where a token is not accepted, and says why. No part of the token is ever in it. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
  readonly hint: string

  constructor(detail: string, hint: string) {
    super(detail)
    this.hint = hint
  }
}

export interface Challenger {
  /** Nobody has shown a token: what is wrong with the request, if anything, beside that. */
  missing(detail: string, hint: string): Answer
  /** There are several headers where there may be one. */
  doubled(): Answer
  refused(reason: TokenRefused): Answer
  /** The token is good, and not for this. */
  insufficient(scope: string, scopes: readonly string[]): Answer
}

/** Answers in the name of a realm. */
export function challenger(realm: string): Challenger {
  const challenge = (...parts: readonly (readonly [name: string, value: string])[]) => ({
    'www-authenticate': `Bearer ${[['realm', realm] as const, ...parts].map(([name, value]) => `${name}="${inQuotes(value)}"`).join(', ')}`,
  })
  return {
    missing: (detail, hint) => problemAnswer(problem('token-required', { detail, hint }), challenge()),
    doubled: () => {
      const detail = 'The request has more than one Authorization header.'
      const parts = problem('invalid-header', { detail, hint: 'Send one.' })
      return problemAnswer(parts, challenge(['error', 'invalid_request'], ['error_description', detail]))
    },
    refused: ({ message, hint }) =>
      problemAnswer(
        problem('invalid-token', { detail: message, hint }),
        challenge(['error', 'invalid_token'], ['error_description', message]),
      ),
    insufficient: (scope, scopes) => {
      const detail = `This takes ${namedScope(scope)}, and the token has ${scopes.length === 0 ? 'none' : shown(scopes)}.`
      const hint = `Ask the issuer for a token with ${namedScope(scope)}.`
      return problemAnswer(
        problem('insufficient-scope', { detail, hint }),
        challenge(['error', 'insufficient_scope'], ['error_description', detail], ['scope', scope]),
      )
    },
  }
}

/** The scope of an operation, in a sentence: one name, or two. */
export function namedScope(scope: string): string {
  return scope.includes(' ') ? `the scopes ${scope.replace(' ', ' and ')}` : `the scope ${scope}`
}

/** How many scopes a message names; a token may have hundreds. */
const mostShown = 10

function shown(scopes: readonly string[]): string {
  const named = scopes.slice(0, mostShown).map(cut).join(' ')
  return scopes.length > mostShown ? `${named} and ${scopes.length - mostShown} more` : named
}

/** RFC 6750 takes printable ASCII without quotes and backslashes. */
function inQuotes(text: string): string {
  return text.replace(/["\\]/g, "'").replace(/[^ -~]/g, '?')
}

/** The issuer cannot be asked for its keys, so nobody can say whether the token is good. */
export function issuerAway(issuer: string): ProblemError {
  const parts = {
    detail: `The keys of ${issuer} cannot be fetched, so the token cannot be verified now.`,
    hint: 'Try again in a moment.',
  }
  return new ProblemError(problem('unavailable', parts))
}
