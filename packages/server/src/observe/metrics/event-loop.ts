/** Measures the delay and the utilization of the event loop. */
import { performance } from 'node:perf_hooks'
import { Histogram } from './histogram.ts'
import type { MetricRegistry } from './registry.ts'

const intervalMs = 20

/** Upper bounds of the buckets, in seconds. */
const delayBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

export class EventLoopMetrics {
  readonly #delays = new Histogram(delayBounds)
  readonly #timer: NodeJS.Timeout
  #lastMeasuredAt = performance.now()

  constructor(registry: MetricRegistry) {
    this.#timer = setInterval(() => this.#measure(), intervalMs).unref()
    registry.add('nomen_event_loop_delay_seconds', 'Delay of the event loop, every 20 ms.', 'histogram', () =>
      this.#delays.samples(),
    )
    const utilisation = () => performance.eventLoopUtilization()
    registry.addValue('nomen_event_loop_active_seconds_total', 'Active time of the event loop.', 'counter', () =>
      seconds(utilisation().active),
    )
    registry.addValue('nomen_event_loop_idle_seconds_total', 'Idle time of the event loop.', 'counter', () =>
      seconds(utilisation().idle),
    )
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #measure(): void {
    const now = performance.now()
    this.#delays.add(Math.max(0, now - this.#lastMeasuredAt - intervalMs) / 1000)
    this.#lastMeasuredAt = now
  }
}

function seconds(milliseconds: number): number {
  return milliseconds / 1000
}
