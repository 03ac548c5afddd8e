/** The current time as an ISO 8601 timestamp. */
let cachedMs = 0
let cachedText = ''

/** Formats the time at most once per millisecond, although a busy service needs it more often. */
export function timestamp(): string {
  const now = Date.now()
  if (now !== cachedMs) {
    cachedMs = now
    cachedText = new Date(now).toISOString()
  }
  return cachedText
}
