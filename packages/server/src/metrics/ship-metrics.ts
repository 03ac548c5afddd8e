/** What is told of the shipping of the access log. */
import type { ShipFigures } from '../ship/shipper.ts'
import type { MetricRegistry } from './registry.ts'

export function addShipMetrics(registry: MetricRegistry, read: () => ShipFigures): void {
  const lag = 'What of the access log the destination has not acknowledged yet.'
  registry.addValue('nomen_ship_lag_bytes', lag, 'gauge', () => read().lagBytes)
  const age = 'How old the oldest line is that the destination has not acknowledged.'
  registry.addValue('nomen_ship_lag_seconds', age, 'gauge', () => read().lagSeconds)
  registry.add('nomen_ship_lines_total', 'Lines acknowledged, sent once more, and refused for ever.', 'counter', () => {
    const { sent, retried, rejected } = read()
    return Object.entries({ sent, retried, rejected }).map(([state, value]) => ({ labels: { state }, value }))
  })
}
