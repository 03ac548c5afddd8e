/** The figures of shipping as metrics, whichever process ships and whoever is asked for them. */
import { exposition } from '../observe/metrics/exposition.ts'
import type { MetricFamily, MetricRegistry } from '../observe/metrics/registry.ts'
import type { ShipFigures } from './shipper.ts'

interface ShipMetric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge'
  readonly value: (of: ShipFigures) => number
}

const metrics: readonly ShipMetric[] = [
  metric(
    'nomen_ship_lag_bytes',
    'gauge',
    'Bytes of the access log that are not acknowledged yet.',
    (of) => of.lagBytes,
  ),
  metric('nomen_ship_lag_seconds', 'gauge', 'Age of the oldest line not acknowledged yet.', (of) => of.lagSeconds),
  metric('nomen_ship_lines_sent_total', 'counter', 'Lines that were acknowledged.', (of) => of.sent),
  metric('nomen_ship_lines_retried_total', 'counter', 'Lines that were sent once more.', (of) => of.retried),
  metric(
    'nomen_ship_lines_rejected_total',
    'counter',
    'Lines that the destination refuses for ever.',
    (of) => of.rejected,
  ),
]

function metric(name: string, type: ShipMetric['type'], help: string, value: ShipMetric['value']): ShipMetric {
  return { name, type, help, value }
}

/** For a service that ships by itself. */
export function addShipMetrics(registry: MetricRegistry, read: () => ShipFigures): void {
  for (const { name, help, type, value } of metrics) registry.addValue(name, help, type, () => value(read()))
}

/** For a process that ships for others. */
export function shipFamilies(figures: ShipFigures): readonly MetricFamily[] {
  return metrics.map(({ value, ...one }) => ({ ...one, samples: [{ value: value(figures) }] }))
}

/** In the text form that Prometheus reads. */
export function shipMetrics(figures: ShipFigures): string {
  return exposition(shipFamilies(figures))
}
