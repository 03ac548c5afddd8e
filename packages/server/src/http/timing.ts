/** What is known of a request from its beginning to its end, for those who count and watch. */
import type { OperationMeter } from '../metrics/http-meter.ts'
import type { RequestWatch } from '../request-watch.ts'

export interface Timing {
  readonly meter: OperationMeter
  /** Whether it asks for a page beside the operations, which is not counted as usage. */
  readonly isPage?: boolean
  /** When it began, by `performance.now()`. */
  readonly began: number
  /** Absent where nobody wants to see single requests. */
  readonly watch: RequestWatch | undefined
}
