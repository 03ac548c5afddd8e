/** Reports failed requests to the operator: bugs each time, outages of the database throttled. */
import { throttledReport } from '../foundation/throttled-report.ts'
import { OutcomeUnknown, QueryTimeout, TooLarge, TooManyLists } from '../store/fault/error.ts'
import { isUnavailable } from '../store/fault/fault.ts'

/** The request that failed. */
export interface FaultyRequest {
  /** The `X-Request-Id` of the response. */
  readonly requestId: string
  readonly method: string
  readonly target: string
}

export type Report = (message: string, error: unknown, request?: FaultyRequest) => void

/** Calls the listener, and `fallback` if it throws or rejects: an error of the listener must not end the process. */
export function withFallback(listener: Report, fallback: Report): Report {
  return (message, error, request) => {
    const report = async () => listener(message, error, request)
    report().catch((failure) => {
      fallback(message, error, request)
      fallback('onFault failed.', failure)
    })
  }
}

/** Called for every unexpected error, with the request if the error occurred in one. */
export type FaultListener = (error: unknown, request?: FaultyRequest) => void

export function faultReport(report: Report): FaultListener {
  const reportOutage = throttledReport<[unknown, FaultyRequest | undefined]>(([error, request], count) => {
    report(count === 1 ? 'A request failed.' : `${count} requests failed. This is the last one.`, error, request)
  })
  return (error, request) => {
    // A response that is too large concerns the client, not the operator.
    if (error instanceof TooLarge) return
    if (isRepeated(error)) reportOutage([error, request])
    else report('A request failed.', error, request)
  }
}

/** Errors that many requests may have in a row: the database is unavailable or busy, or lists take too long. */
function isRepeated(error: unknown): boolean {
  const kinds = [OutcomeUnknown, QueryTimeout, TooManyLists]
  return kinds.some((kind) => error instanceof kind) || isUnavailable(error)
}
