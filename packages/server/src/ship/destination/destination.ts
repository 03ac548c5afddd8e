/** What lines are sent to, whatever it is. */
import type { LogLine } from '../batch.ts'

/** Who the lines are of. */
export interface Origin {
  /** The name of the service. */
  readonly service: string
  /** The machine, or whatever tells one instance of the service from the others. */
  readonly instance: string
  /** More of that kind: a region, a team. A few values each, since destinations keep them as labels. */
  readonly labels: Readonly<Record<string, string>>
  /** The template of the endpoint that a request is for. */
  readonly route: (method: string, target: string) => string | undefined
}

/** Some lines of one file. */
export interface Portion {
  /** What the file is known by. */
  readonly key: string
  readonly lines: readonly LogLine[]
}

export type TroubleKind =
  /** It cannot be reached, is busy or broken: to be tried again soon. */
  | 'away'
  /** It is reached and will not take them until somebody changes something. */
  | 'refused'
  /** It does not take so many at once; a single line that is too large is never taken. */
  | 'too large'
  /** It did not manage them in time, and may manage fewer. */
  | 'slow'

export interface Trouble {
  readonly kind: TroubleKind
  readonly reason: string
  /** It asks not to be tried before so many milliseconds have passed. */
  readonly after?: number
}

/** What became of lines that were sent. */
export interface Delivery {
  /** Those that are not with the destination, in their order; empty when all are. */
  readonly left: readonly LogLine[]
  /** Why some are left. */
  readonly trouble?: Trouble
  /** How many the destination will never take, and why. They are not left. */
  readonly rejected: number
  readonly rejectReason?: string
}

export interface Destination {
  /** Its address as it may be shown: without a password. */
  readonly shown: string
  /** Resolves when all lines are acknowledged, or it is known why not. It never rejects. */
  send(portion: Portion, signal: AbortSignal): Promise<Delivery>
  close(): void
}

export function delivered(rejected = 0, rejectReason?: string): Delivery {
  return { left: [], rejected, ...(rejectReason !== undefined && { rejectReason }) }
}

export function failed(lines: readonly LogLine[], trouble: Trouble): Delivery {
  return { left: lines, trouble, rejected: 0 }
}
