/** The retry policy of the stores: retried faults, with the number of tries, their time limit and the pause. */
import { setTimeout as pause } from 'node:timers/promises'
import { StoreUnavailable } from './error.ts'
import { type Fault, faultOf } from './fault.ts'

interface RetryPolicy {
  readonly maxTries?: number
  /** The cause at each try, as the subject and verb of a sentence. */
  readonly reason?: string
  /** Since the first try, in milliseconds. */
  readonly withinMs?: number
  /** This number of tries is made even after that time. */
  readonly minTries?: number
  /** Default: no pause. */
  readonly pauseMs?: () => number
}

/** How long to wait for the lock of an SQLite file. */
export const busyTimeoutMs = 5000

/** Short, so that the process that holds the lock does not always win; random, so that processes do not retry in step. */
export function busyPauseMs(): number {
  return 1 + Math.random() * 3
}

/** Faults that are not named here are not retried. */
const policies: Partial<Record<Fault, RetryPolicy>> = {
  conflict: { maxTries: 8, reason: 'Other writes interfered' },
  // The database rejected a reference, and a lookup then found its target: it was created in between.
  'no-target': { maxTries: 8, reason: 'The database rejected a reference' },
  // A connection that fails this soon was already broken. One that failed later may have lost a statement or its response.
  lost: { withinMs: 1000, minTries: 2 },
  // Nothing was run. Each retry may meet another statement that fails before it prepares the common one.
  'not-prepared': { maxTries: 100, reason: 'The database did not know a prepared statement' },
  busy: { withinMs: busyTimeoutMs, pauseMs: busyPauseMs },
}

export interface RetryOptions {
  /** Whether another error is retried like a conflict. */
  readonly isConflict?: (error: unknown) => boolean
  /** Instead of the time in the policy. */
  readonly withinMs?: number
  /** Called before each further try. */
  readonly onRetry?: (fault: Fault) => void
}

/** Runs an attempt until it succeeds, or fails with an error that the policy does not retry. `tries` counts from 1. */
export async function retry<Result>(
  attempt: (tries: number) => Promise<Result>,
  { isConflict = () => false, withinMs, onRetry }: RetryOptions = {},
): Promise<Result> {
  const startMs = performance.now()
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(tries)
    } catch (error) {
      const fault = isConflict(error) ? 'conflict' : faultOf(error)
      const policy = fault && policies[fault]
      if (!policy) throw error
      const { maxTries = Number.POSITIVE_INFINITY, minTries = 1, pauseMs } = policy
      const limitMs = withinMs ?? policy.withinMs ?? Number.POSITIVE_INFINITY
      if (tries >= minTries && performance.now() - startMs > limitMs) throw error
      if (tries >= maxTries) throw new StoreUnavailable(`${policy.reason} at each of ${tries} tries.`, { cause: error })
      onRetry?.(fault)
      if (pauseMs) await pause(pauseMs())
    }
  }
}
