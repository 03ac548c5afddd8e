/** Logs that the service refuses requests: at once, and then every ten seconds how many. */
import { throttledReport } from '../foundation/throttled-report.ts'
import type { ApplicationLog } from './application-log.ts'

export function overloadReport(log: ApplicationLog): (waitingFor: string) => void {
  return throttledReport((waitingFor, number) =>
    log.warn('Requests are refused, since others have waited too long.', { waitingFor, number }),
  )
}
