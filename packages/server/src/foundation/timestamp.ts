/** The present moment as records keep it. */
let last = 0
let text = ''

/** Written out once a millisecond: a busy service needs it many times in one. */
export function timestamp(): string {
  const now = Date.now()
  if (now !== last) {
    last = now
    text = new Date(now).toISOString()
  }
  return text
}
