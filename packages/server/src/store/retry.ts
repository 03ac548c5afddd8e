/** The retry policy of the stores: which faults are retried, how often, for how long and after which pause. */
import { setTimeout as pause } from 'node:timers/promises'
import { StoreUnavailable } from './error.ts'
import { type Fault, faultOf } from './fault.ts'

interface Policy {
  readonly maxTries?: number
  /** Since the first try, in milliseconds. */
  readonly withinMs?: number
  /** Default: no pause. */
  readonly pauseMs?: () => number
}

/** How long a lock of a SQLite file is waited for, in milliseconds. */
export const busyTimeoutMs = 5000

/** In milliseconds. Short, or the process that holds the lock takes it again each time; random, so that processes do not retry in step. */
export function busyPauseMs(): number {
  return 1 + Math.random() * 3
}

/** Faults that are not named here are not retried. */
const policies: Partial<Record<Fault, Policy>> = {
  conflict: { maxTries: 8 },
  // The database refused a reference, and a lookup then found its target: it was created in between.
  'no-target': { maxTries: 8 },
  // A connection that fails this soon was dead before.
  lost: { withinMs: 1000 },
  'not-prepared': { withinMs: 1000 },
  busy: { withinMs: busyTimeoutMs, pauseMs: busyPauseMs },
}

interface RetryOptions {
  /** Whether a further error is retried like a conflict. */
  readonly isConflict?: (error: unknown) => boolean
  /** Instead of the time in the policy. */
  readonly withinMs?: number
}

/** Runs an attempt until it succeeds, or fails with an error that the policy does not retry. `tries` counts from 1. */
export async function retry<Result>(
  attempt: (tries: number) => Promise<Result>,
  { isConflict = () => false, withinMs }: RetryOptions = {},
): Promise<Result> {
  const begun = performance.now()
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(tries)
    } catch (error) {
      const fault = isConflict(error) ? 'conflict' : faultOf(error)
      const policy = fault && policies[fault]
      if (!policy) throw error
      const { maxTries = Number.POSITIVE_INFINITY, pauseMs } = policy
      const limitMs = withinMs ?? policy.withinMs ?? Number.POSITIVE_INFINITY
      if (performance.now() - begun > limitMs) throw error
      if (tries >= maxTries)
        throw new StoreUnavailable(`Other writes were in the way at each of ${tries} tries.`, { cause: error })
      if (pauseMs) await pause(pauseMs())
    }
  }
}
