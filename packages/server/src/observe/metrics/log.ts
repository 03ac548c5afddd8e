/** What is told of the access log. */
import type { MetricRegistry } from './registry.ts'

/** As much of an access log as is told. */
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
  add('lines_total', 'Lines of the access log.', 'counter', () => log.lines)
  add('lost_lines_total', 'Lines that could not be written and are lost.', 'counter', () => log.dropped)
  add('faults_total', 'How often lines stopped reaching the file.', 'counter', () => log.faults)
  add('failing', 'Whether lines do not reach the file now.', 'gauge', () => (log.fault ? 1 : 0))
  add('rotations_total', 'How often the file was put aside by this process.', 'counter', () => log.rotations)
  add('backlog_bytes', 'What waits to be written.', 'gauge', () => log.backlog)
}
