/** Times as people read them: in UTC, as the service writes them, and in the time zone of the browser. */
import { format } from '../language/language.ts'

export interface ShownTime {
  readonly day: string
  readonly time: string
  /** The exact value, and the same time in the time zone of the browser. */
  readonly title: string
}

/** Undefined if the value is not a time. */
export function shownTime(value: string): ShownTime | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) || Number.isNaN(Date.parse(value))) return undefined
  const { day, time, local } = format()
  return { day: day(value), time: time(value), title: `${value} = ${local(value)}` }
}
