/** Reports the first of many equal events at once, and later ones at most once per pause, with their number. */

/** How long a report is not repeated. Thousands of requests may fail in a second. */
const defaultPauseMs = 10_000

/** Counts an event, or several at once, and reports the latest one if it is time. */
export type ThrottledReport<Event> = (event: Event, count?: number) => void

/** `report` gets the event, and the number of events since the last report, this one included. */
export function throttledReport<Event>(
  report: (event: Event, count: number) => void,
  pauseMs = defaultPauseMs,
): ThrottledReport<Event> {
  let reportedAt = Number.NEGATIVE_INFINITY
  let unreported = 0
  return (event, count = 1) => {
    unreported += count
    const now = performance.now()
    if (now - reportedAt < pauseMs) return
    const total = unreported
    reportedAt = now
    unreported = 0
    report(event, total)
  }
}
