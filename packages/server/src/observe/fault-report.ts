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

export type Report = (message: string, error: unknown, about?: FaultyRequest) => void

/** Calls the listener, and `fallback` if it throws or rejects: an error of the listener must not end the process. */
export function withFallback(listener: Report, fallback: Report): Report {
  return (message, error, about) => {
    const report = async () => listener(message, error, about)
    report().catch((failure) => {
      fallback(message, error, about)
      fallback('onFault failed.', failure)
    })
  }
}

/** Told of every fault that a request has met, where there is one. */
export type FaultListener = (error: unknown, request?: FaultyRequest) => void

export function faultReport(report: Report): FaultListener {
  const reportOutage = throttledReport<[unknown, FaultyRequest | undefined]>(([error, about], count) => {
    report(count === 1 ? 'A request failed.' : `${count} requests failed. This is the last one.`, error, about)
  })
  return (error, about) => {
    // A response that is too large concerns the client, not the operator.
    if (error instanceof TooLarge) return
    if (isRepeated(error)) reportOutage([error, about])
    else report('A request failed.', error, about)
  }
}

/** Errors that many requests may have in a row: the database is unavailable or busy, or lists take too long. */
function isRepeated(error: unknown): boolean {
  const kinds = [OutcomeUnknown, QueryTimeout, TooManyLists]
  return kinds.some((kind) => error instanceof kind) || isUnavailable(error)
}
