/** The results of one kind of request. */
import type { Latencies } from './latency.ts'
import type { Turns } from './measure.ts'

export interface KindResult {
  readonly kind: string
  readonly turns: Turns
  readonly latencies?: ReadonlyMap<string, Latencies> | undefined
}
