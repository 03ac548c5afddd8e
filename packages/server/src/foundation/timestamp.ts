/** Times as ISO 8601 strings. */

let cachedMs = 0
let cachedText = ''

/** The current time. It is formatted at most once per millisecond, although a busy service needs it more often. */
export function timestamp(): string {
  const now = Date.now()
  if (now !== cachedMs) {
    cachedMs = now
    cachedText = new Date(now).toISOString()
  }
  return cachedText
}

/** The day of a time in milliseconds since 1970, in UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
