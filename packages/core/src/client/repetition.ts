/** When a request is sent again: which may be, after what, and how long the client waits before. */
import { type AnyProblem, ProblemError } from '../wire/problem-error.ts'

/** Why a try has failed. */
export interface Failure {
  readonly error: Error
  /** Whether the next try may fare better. */
  readonly isPassing: boolean
  /** Whether it may have been done all the same. */
  readonly isOpen: boolean
  /** What the answer says of when to come again. */
  readonly retryAfter?: string | null
}

/** The wait before the first repetition, and the longest that an answer may ask for, in milliseconds. */
const firstWait = 200
const longestWait = 60_000

/**
 * Whether it does no harm to send a request twice, where the first may have been done without an answer: a create with
 * a key is done once, and after a change its tag fits no more. HTTP promises it of GET, PUT and DELETE.
 */
export function isHarmless(method: string, headers: Headers): boolean {
  if (method === 'POST') return headers.has('idempotency-key')
  // Whatever the record has become, `*` fits.
  return method !== 'PATCH' || (headers.get('if-match') ?? '*').trim() !== '*'
}

/** How long to wait before a request is sent again; undefined where that would be of no use, or too long. */
export function waitAfter({ isPassing, retryAfter }: Failure, repeated: number): number | undefined {
  // It grows, and is not the same for all who wait.
  const own = firstWait * 2 ** repeated * (0.5 + Math.random() / 2)
  const wait = Math.max(askedFor(retryAfter ?? ''), own)
  return isPassing && wait <= longestWait ? wait : undefined
}

function askedFor(retryAfter: string): number {
  const time = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
  return time || 0
}

/** Fails with the signal's reason as soon as there is one. */
export function pause(time: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, time)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** A change that was done at an earlier try is in its own way later: what it deleted is gone, its tag is of the past. */
export function inDoubt(error: Error, method: string): Error {
  const { problem, requestId } = error as ProblemError<AnyProblem>
  const isOwnDoing = problem?.status === 412 || (problem?.status === 404 && method === 'DELETE')
  if (!isOwnDoing || method === 'GET') return error
  const hint = 'An earlier try of this request failed, and may have been done all the same: read what is there now.'
  return new ProblemError({ ...problem, hint }, requestId)
}
