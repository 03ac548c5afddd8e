/** Metrics of log shipping. */
import { exposition } from '../observe/metrics/exposition.ts'
import type { MetricFamily, MetricRegistry } from '../observe/metrics/registry.ts'
import type { ShipFigures } from './shipper.ts'

interface ShipMetric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge'
  readonly value: (figures: ShipFigures) => number
}

const metrics: readonly ShipMetric[] = [
  metric(
    'nomen_ship_lag_bytes',
    'gauge',
    'Bytes of the access log that the destination has not acknowledged yet.',
    (figures) => figures.lagBytes,
  ),
  metric(
    'nomen_ship_lag_seconds',
    'gauge',
    'Age of the oldest line that is not acknowledged yet, in seconds.',
    (figures) => figures.lagSeconds,
  ),
  metric('nomen_ship_lines_sent_total', 'counter', 'Acknowledged lines.', (figures) => figures.sent),
  metric('nomen_ship_lines_retried_total', 'counter', 'Lines that were sent again.', (figures) => figures.retried),
  metric(
    'nomen_ship_lines_rejected_total',
    'counter',
    'Lines that the destination rejected permanently.',
    (figures) => figures.rejected,
  ),
]

function metric(name: string, type: ShipMetric['type'], help: string, value: ShipMetric['value']): ShipMetric {
  return { name, type, help, value }
}

/** Adds the metrics to the registry of a service that ships its own log. */
export function addShipMetrics(registry: MetricRegistry, read: () => ShipFigures): void {
  for (const { name, help, type, value } of metrics) registry.addValue(name, help, type, () => value(read()))
}

/**
 * Returns the metrics of a log shipper as metric families, to merge with others.
 *
 * @example
 * ```ts
 * const worker = new ShipWorker({ log: 'data/access.log', to: 'loki+http://logs:3100', service: 'directory' }, console.error)
 * const families = shipFamilies(worker.figures())
 * ```
 */
export function shipFamilies(figures: ShipFigures): readonly MetricFamily[] {
  return metrics.map(({ value, ...metric }) => ({ ...metric, samples: [{ value: value(figures) }] }))
}

/**
 * Returns the metrics of a log shipper in the Prometheus text format.
 *
 * @example
 * ```ts
 * const worker = new ShipWorker({ log: 'data/access.log', to: 'loki+http://logs:3100', service: 'directory' }, console.error)
 * console.log(shipMetrics(worker.figures()))
 * ```
 */
export function shipMetrics(figures: ShipFigures): string {
  return exposition(shipFamilies(figures))
}
