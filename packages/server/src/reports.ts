/** How a service reports faults: to the application log, or to the listener of its settings. */
import { type ApplicationLog, applicationLog } from './observe/application-log.ts'
import { type Report, withFallback } from './observe/fault-report.ts'
import type { Settings } from './settings.ts'

export interface Reports {
  readonly log: ApplicationLog
  /** Writes a fault to the application log. */
  readonly logFault: Report
  /** Reports a fault to the listener of the settings; without one, to the log. */
  readonly report: Report
  /** The same for an event that is not an error. */
  readonly warn: Report
}

export function openReports({ log: ownLog, onFault }: Settings): Reports {
  const log = ownLog ?? applicationLog()
  const logFault: Report = (message, error, context) => log.error({ ...context, err: error }, message)
  const ownReport = onFault && withFallback(onFault, logFault)
  return { log, logFault, report: ownReport ?? logFault, warn: ownReport ?? ((message) => log.warn({}, message)) }
}
