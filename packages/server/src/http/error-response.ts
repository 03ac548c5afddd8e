/** The response to an error that was thrown while a request was served. */
import { problem } from '@nomen/core'
import { cut } from '../foundation/quoted.ts'
import { problemResponse, type TextResponse } from '../message/text-response.ts'
import type { FaultListener, FaultyRequest } from '../observe/fault-report.ts'
import { storeErrorResponse } from '../pipeline/respond/store-error-response.ts'
import { thrownProblem } from '../pipeline/respond/thrown-problem.ts'
import type { Exchange } from './exchange.ts'
import { redacted } from './redact.ts'

/** An error that is not a problem is a bug: it is reported, and the response has no details. */
export function errorResponse(error: unknown, exchange: Exchange, onFault: FaultListener): TextResponse {
  const response = thrownProblem(error)
  if (response) return response
  onFault(error, faultyRequest(exchange))
  return storeErrorResponse(error) ?? problemResponse(problem('internal', internalTexts))
}

const internalTexts = {
  detail: 'An internal error occurred and was logged.',
  hint: 'Report the X-Request-Id of this response to the operator.',
}

/** The maximum length of the URL in a report. The access log has all of it. */
const maxTargetLength = 300

export function faultyRequest({ request: { method, url }, requestId }: Exchange): FaultyRequest {
  return { requestId, method, target: cut(redacted(url), maxTargetLength) }
}
