/** Histories: what clients asked at the same time, when each began and when it had its answer. */

/** An operation in the time between its call and its answer. It took effect at one moment of that time. */
export interface Timed {
  /** In milliseconds of one clock for all clients. */
  readonly start: number
  /** Infinity if the outcome is unknown: then it took effect at any time from its start on, or never. */
  readonly end: number
}

/** A contradiction in a history, in words that name the operations. */
export interface Violation {
  readonly kind: string
  readonly detail: string
}

/** Calls, and tells when. What throws has an unknown outcome. */
export async function timed<Result>(
  call: () => Promise<Result>,
): Promise<Timed & { readonly result: Result | undefined }> {
  const start = performance.now()
  try {
    const result = await call()
    return { start, end: performance.now(), result }
  } catch {
    return { start, end: Number.POSITIVE_INFINITY, result: undefined }
  }
}

/** An interval as text, for messages. */
export function timeText({ start, end }: Timed): string {
  return `${start.toFixed(3)} to ${end === Number.POSITIVE_INFINITY ? 'unknown' : end.toFixed(3)} ms`
}
