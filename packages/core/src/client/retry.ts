/** The retry policy of the client: retryable requests and failures, and the backoff. */
import { type AnyProblem, ProblemError } from '../wire/problem-error.ts'

/** A failed attempt. */
export interface Failure {
  readonly error: Error
  /** Whether a retry may succeed. */
  readonly isTransient: boolean
  /** Whether the service may have run the request nevertheless. */
  readonly mayHaveRun: boolean
  /** The Retry-After header. */
  readonly retryAfter?: string | null
}

/** The first backoff, and the longest backoff and accepted Retry-After, in milliseconds. */
const firstWaitMs = 200
const maxWaitMs = 60_000

/**
 * Whether a request is idempotent, so that it may be sent twice: GET, PUT and DELETE, a POST with an idempotency key, and a
 * PATCH with an ETag, which fails the second time.
 */
export function isRetryable(method: string, headers: Headers): boolean {
  if (method === 'POST') return headers.has('idempotency-key')
  // `*` matches every version of the record.
  return method !== 'PATCH' || (headers.get('if-match') ?? '*').trim() !== '*'
}

/** The wait before a retry in milliseconds; undefined if a retry is useless or the wait too long. */
export function retryDelayMs({ isTransient, retryAfter }: Failure, retriesDone: number): number | undefined {
  // Exponential backoff with jitter.
  const backoffMs = Math.min(firstWaitMs * 2 ** retriesDone, maxWaitMs) * (0.5 + Math.random() / 2)
  const waitMs = Math.max(retryAfterMs(retryAfter ?? ''), backoffMs)
  return isTransient && waitMs <= maxWaitMs ? waitMs : undefined
}

function retryAfterMs(retryAfter: string): number {
  const time = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
  return time || 0
}

/** Waits. An abort rejects with the reason of the signal. */
export function pause(waitMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, waitMs)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}

/** Adds a hint to an error that an earlier attempt may have caused: the record is deleted, or its ETag has changed. */
export function withRetryHint(error: Error, method: string): Error {
  const { problem, requestId } = error as ProblemError<AnyProblem>
  const mayBeOwnEffect = problem?.status === 412 || (problem?.status === 404 && method === 'DELETE')
  if (!mayBeOwnEffect || method === 'GET') return error
  const hint =
    'An earlier attempt of this request failed, but the service may have run it: read the record to find out.'
  return new ProblemError({ ...problem, hint }, requestId)
}
