/** Histories of concurrent operations, with the times of each call and its response. */

/** The time between the call and the response of an operation. It took effect at one point within that time. */
export interface Timed {
  /** In milliseconds of one clock for all clients. */
  readonly start: number
  /** Infinity if the outcome is unknown: it took effect at any time after its start, or never. */
  readonly end: number
}

/** A contradiction in a history, with the operations involved. */
export interface Violation {
  readonly kind: string
  readonly detail: string
}

/** Runs a call and measures its times. If the call throws, its outcome is unknown. */
export async function timeCall<Result>(
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
