/** Notices for the operator of a shipper: each outage once, its end, and rejected lines. */
import { type ThrottledReport, throttledReport } from '../foundation/throttled-report.ts'
import type { DeliveryFailure } from './destination/destination.ts'

/** How often rejected lines are reported. */
const rejectsEveryMs = 60_000

export class Notices {
  readonly #destination: string
  readonly #report: (message: string) => void
  #outageStart: number | undefined
  /** The kind of failure that was reported last. */
  #reportedKind: string | undefined
  #fault: string | undefined
  readonly #reportRejects: ThrottledReport<string>

  constructor(destination: string, report: (message: string) => void) {
    this.#destination = destination
    this.#report = report
    this.#reportRejects = throttledReport((reason, count) => {
      const lines = count === 1 ? '1 line' : `${count} lines`
      report(`${destination} rejected ${lines} permanently: ${reason}`)
    }, rejectsEveryMs)
  }

  /** Reports the start of an outage, and a change of its kind. */
  reportOutage({ kind, reason }: DeliveryFailure): void {
    this.#outageStart ??= performance.now()
    if (this.#reportedKind === kind) return
    this.#reportedKind = kind
    const retry = kind === 'rejected' ? 'Lines are kept and sent again every minute.' : 'Lines are kept and sent again.'
    this.#report(`Access logs cannot be shipped: ${reason.replace(/\.$/, '')}. ${retry}`)
  }

  /** Reports the end of an outage. */
  reportSuccess(): void {
    this.#fault = undefined
    if (this.#outageStart === undefined) return
    const seconds = Math.round((performance.now() - this.#outageStart) / 1000)
    this.#outageStart = undefined
    this.#reportedKind = undefined
    this.#report(`Access logs are shipped to ${this.#destination} again, after ${seconds} s.`)
  }

  reportRejected(count: number, reason: string): void {
    this.#reportRejects(reason, count)
  }

  /** Reports a local error, such as an unreadable log. */
  reportFault(message: string): void {
    if (this.#fault === message) return
    this.#fault = message
    this.#report(message)
  }
}
