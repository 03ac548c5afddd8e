/** The current time as an ISO 8601 timestamp. */
let last = 0
let text = ''

/** Formats the time at most once per millisecond, because a busy service needs it more often. */
export function timestamp(): string {
  const now = Date.now()
  if (now !== last) {
    last = now
    text = new Date(now).toISOString()
  }
  return text
}
