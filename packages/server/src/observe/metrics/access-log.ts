/** Metrics of the access log. */
import type { MetricRegistry } from './registry.ts'

interface Log {
  readonly lines: number
  readonly dropped: number
  readonly faults: number
  readonly fault: Error | undefined
  readonly rotations: number
  readonly backlog: number
}

export function addLogMetrics(registry: MetricRegistry, log: Log): void {
  const add = (name: string, help: string, type: 'counter' | 'gauge', read: () => number) =>
    registry.addValue(`nomen_access_log_${name}`, help, type, read)
  add('lines_total', 'Lines of the access log, including lost ones.', 'counter', () => log.lines)
  add('lost_lines_total', 'Lines that are lost because they could not be written.', 'counter', () => log.dropped)
  add('faults_total', 'How often the access log became unwritable.', 'counter', () => log.faults)
  add('failing', '1 if the access log cannot be written now, otherwise 0.', 'gauge', () => (log.fault ? 1 : 0))
  add('rotations_total', 'Rotations of the access log by this process.', 'counter', () => log.rotations)
  add('backlog_bytes', 'Bytes that wait to be written to the access log.', 'gauge', () => log.backlog)
}
