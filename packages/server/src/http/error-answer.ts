/** Turns whatever was thrown while a request was served into the answer that a client reads. */
import type { IncomingMessage } from 'node:http'
import { problem } from '@nomen/core'
import type { FastifyError, FastifyRequest } from 'fastify'
import { faultAnswer } from '../answer/fault-answer.ts'
import { thrownProblem } from '../answer/thrown-problem.ts'
import { type Answer, problemAnswer } from '../answer/write-answer.ts'
import type { FaultListener } from '../fault-report.ts'
import { quoted } from '../quoted.ts'
import { tooLarge } from './body.ts'
import { pathOf } from './target.ts'

/** What the framework throws has codes of its own. */
export function errorAnswer(error: FastifyError, request: FastifyRequest, onFault: FaultListener): Answer {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return problemAnswer(tooLarge(request.routeOptions.bodyLimit).problem)
    case 'FST_ERR_BAD_URL':
      return problemAnswer(
        problem('malformed-url', {
          detail: `The path holds broken percent-encoding: ${quoted(pathOf(request))}.`,
          hint: 'Encode it as UTF-8, and a percent sign as %25.',
        }),
      )
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return problemAnswer(problem('bad-request', { detail: error.message }))
  }
  return thrownAnswer(error, request.raw, onFault)
}

/** What was thrown on the way of a request. Only a bug is a 500, and it tells the client nothing else. */
export function thrownAnswer(error: unknown, request: IncomingMessage, onFault: FaultListener): Answer {
  const told = thrownProblem(error)
  if (told) return told
  onFault(error, request)
  return (
    faultAnswer(error) ??
    problemAnswer(problem('internal', { detail: 'Something went wrong in the service. It has been noted.' }))
  )
}
