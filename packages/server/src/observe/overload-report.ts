/** Tells whoever runs a service that it refuses requests: at once, and then now and then how many. */
import type { ApplicationLog } from './application-log.ts'

/** In milliseconds. Thousands of requests may be refused in a second. */
const pauseBetween = 10_000

export function overloadReport(log: ApplicationLog): (waitingFor: string) => void {
  let toldAt = Number.NEGATIVE_INFINITY
  let untold = 0
  return (waitingFor) => {
    untold++
    const now = performance.now()
    if (now - toldAt < pauseBetween) return
    log.warn('Requests are refused, since others have waited too long.', { waitingFor, number: untold })
    toldAt = now
    untold = 0
  }
}
