/** The figures of shipping in the text form that Prometheus reads. */
import type { ShipFigures } from './shipper.ts'

const metrics: readonly (readonly [name: string, type: string, about: string, value: (of: ShipFigures) => number])[] = [
  ['nomen_ship_lag_bytes', 'gauge', 'Bytes of the access log that are not acknowledged yet.', (of) => of.lagBytes],
  ['nomen_ship_lag_seconds', 'gauge', 'Age of the oldest line that is not acknowledged yet.', (of) => of.lagSeconds],
  ['nomen_ship_lines_sent_total', 'counter', 'Lines that were acknowledged.', (of) => of.sent],
  ['nomen_ship_lines_retried_total', 'counter', 'Lines that were sent once more.', (of) => of.retried],
  ['nomen_ship_lines_rejected_total', 'counter', 'Lines that the destination will never take.', (of) => of.rejected],
]

export function shipMetrics(figures: ShipFigures): string {
  return metrics
    .map(([name, type, about, value]) => `# HELP ${name} ${about}\n# TYPE ${name} ${type}\n${name} ${value(figures)}\n`)
    .join('')
}
