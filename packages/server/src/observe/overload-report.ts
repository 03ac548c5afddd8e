/** Logs rejected requests under overload: the first one at once, then their number every ten seconds. */
import { throttledReport } from '../foundation/throttled-report.ts'
import type { ApplicationLog } from './application-log.ts'

export function overloadReport(log: ApplicationLog): (waitingFor: string) => void {
  return throttledReport((waitingFor, number) =>
    log.warn({ waitingFor, number }, 'Requests are rejected because of overload.'),
  )
}
