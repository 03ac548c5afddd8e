/** Times as people read them: in UTC, as the service writes them, or in the time zone of the browser. */
import { format, text } from '../language/language.ts'

export interface ShownTime {
  readonly day: string
  /** With the name of its zone. */
  readonly time: string
  /** The exact value, and the same time in the time zone of the browser. */
  readonly title: string
}

/** Undefined if the value is not a time. */
export function shownTime(value: string, isLocal = false): ShownTime | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) || Number.isNaN(Date.parse(value))) return undefined
  const { day, time, local, localDay, localTime } = format()
  const title = `${value} = ${local(value)}`
  if (isLocal) return { day: localDay(value), time: localTime(value), title }
  return { day: day(value), time: `${time(value)} ${text().common.utc}`, title }
}
