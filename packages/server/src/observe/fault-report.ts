/** Tells whoever runs a service of its faults: a bug each time, a database that is away now and then. */
import { throttledReport } from '../foundation/throttled-report.ts'
import { OutcomeUnknown, TooLarge, TooManyLists } from '../store/error.ts'
import { isUnavailable } from '../store/fault.ts'

/** The request that a fault has met. */
export interface FaultyRequest {
  /** As the client is told it. */
  readonly requestId: string
  readonly method: string
  readonly target: string
}

export type Report = (message: string, error: unknown, about?: FaultyRequest) => void

/** Tells whoever the settings name, and `rest` where that fails: a fault of the listener must not end the process. */
export function listened(listener: Report, rest: Report): Report {
  return (message, error, about) => {
    const told = async () => listener(message, error, about)
    told().catch((fault) => {
      rest(message, error, about)
      rest('onFault has failed itself.', fault)
    })
  }
}

/** Told of every fault that a request has met, where there is one. */
export type FaultListener = (error: unknown, request?: FaultyRequest) => void

export function faultReport(report: Report): FaultListener {
  const reportOutage = throttledReport<[unknown, FaultyRequest | undefined]>(([error, about], count) => {
    report(count === 1 ? 'A request failed.' : `A request failed, and ${count - 1} before it.`, error, about)
  })
  return (error, about) => {
    // The client has to know of a request that is too large, not the operator.
    if (error instanceof TooLarge) return
    const isOutage = error instanceof OutcomeUnknown || error instanceof TooManyLists || isUnavailable(error)
    if (isOutage) reportOutage([error, about])
    else report('A request failed.', error, about)
  }
}
