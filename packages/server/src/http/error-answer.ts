/** The response to an error that was thrown while a request was served. */
import { problem } from '@nomen/core'
import { type Answer, problemAnswer } from '../message/answer.ts'
import type { FaultListener, FaultyRequest } from '../observe/fault-report.ts'
import { faultAnswer } from '../pipeline/answer/fault-answer.ts'
import { thrownProblem } from '../pipeline/answer/thrown-problem.ts'
import type { Exchange } from './exchange.ts'
import { redacted } from './redact.ts'

/** Anything but a problem is a bug: it is reported, and the client learns nothing else about it. */
export function thrownAnswer(error: unknown, exchange: Exchange, onFault: FaultListener): Answer {
  const known = thrownProblem(error)
  if (known) return known
  onFault(error, faultyRequest(exchange))
  return (
    faultAnswer(error) ??
    problemAnswer(problem('internal', { detail: 'Something went wrong in the service. It has been noted.' }))
  )
}

export function faultyRequest({ request: { method, url }, requestId }: Exchange): FaultyRequest {
  return { requestId, method, target: redacted(url) }
}
