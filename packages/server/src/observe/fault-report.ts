/** Tells whoever runs a service of its faults: a bug each time, a database that is away now and then. */
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

/** How often it is told that the database is away, in milliseconds: every request may fail then, thousands a second. */
const pauseBetween = 10_000

export function faultReport(report: Report): FaultListener {
  let toldAt = Number.NEGATIVE_INFINITY
  let untold = 0
  return (error, about) => {
    // The client has to know of a request that is too large, not the operator.
    if (error instanceof TooLarge) return
    const isOutage = error instanceof OutcomeUnknown || error instanceof TooManyLists || isUnavailable(error)
    if (isOutage && performance.now() - toldAt < pauseBetween) {
      untold++
      return
    }
    if (!isOutage) return report('A request failed.', error, about)
    report(untold === 0 ? 'A request failed.' : `A request failed, and ${untold} before it.`, error, about)
    toldAt = performance.now()
    untold = 0
  }
}
