/** Watches how late the event loop is: what has to wait for its turn waits so long. */
import { performance } from 'node:perf_hooks'
import { Histogram } from './histogram.ts'
import type { MetricRegistry } from './registry.ts'

/** How often it is looked at, in milliseconds. */
const every = 20

/** In seconds. */
const delays = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

export class LoopWatch {
  readonly #delays = new Histogram(delays)
  readonly #timer: NodeJS.Timeout
  #last = performance.now()

  constructor(registry: MetricRegistry) {
    this.#timer = setInterval(() => this.#look(), every).unref()
    registry.add('nomen_event_loop_delay_seconds', 'How late timers were, looked at every 20 ms.', 'histogram', () =>
      this.#delays.samples(),
    )
    const spent = () => performance.eventLoopUtilization()
    registry.addValue('nomen_event_loop_active_seconds_total', 'Time in which the event loop worked.', 'counter', () =>
      seconds(spent().active),
    )
    registry.addValue('nomen_event_loop_idle_seconds_total', 'Time in which the event loop waited.', 'counter', () =>
      seconds(spent().idle),
    )
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = performance.now()
    this.#delays.add(Math.max(0, now - this.#last - every) / 1000)
    this.#last = now
  }
}

function seconds(milliseconds: number): number {
  return milliseconds / 1000
}
