/** Tells whoever runs a service of its faults: a bug each time, a database that is away now and then. */
import { OutcomeUnknown } from './store/plan.ts'
import { isUnavailable } from './store/unavailable.ts'

type Report = (message: string, error: unknown) => void

/** How often it is told that the database is away, in milliseconds: every request may fail then, thousands a second. */
const pauseBetween = 10_000

export function faultReport(report: Report): (error: unknown) => void {
  let toldAt = Number.NEGATIVE_INFINITY
  let untold = 0
  return (error) => {
    const isOutage = error instanceof OutcomeUnknown || isUnavailable(error)
    if (isOutage && performance.now() - toldAt < pauseBetween) {
      untold++
      return
    }
    if (!isOutage) return report('A request failed.', error)
    report(untold === 0 ? 'A request failed.' : `A request failed, and ${untold} before it.`, error)
    toldAt = performance.now()
    untold = 0
  }
}
