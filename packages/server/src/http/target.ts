/** The target of a request, in the forms that it can be sent in. */
import { ProblemError, problem } from '@nomen/core'
import type { FastifyRequest } from 'fastify'
import { quoted } from '../quoted.ts'

/** A request may name the whole address; a fragment has no place in one. */
export function originForm(target: string): string {
  if (target.includes('#')) {
    throw new ProblemError(
      problem('malformed-url', {
        detail: `The address ${quoted(target)} holds a fragment.`,
        hint: 'Leave out what follows the #, or encode it as %23.',
      }),
    )
  }
  return target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, '')
}

/** The path as it was sent. */
export function pathOf(request: FastifyRequest): string {
  return (request.raw.url ?? '/').replace(/\?.*$/s, '')
}
