/** Days and moments as ISO 8601 text, read strictly and written in one form. */

/** The day as given, or undefined where there is no such day. The first year is 0001: not every database has one before. */
export function readDate(text: string): string | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  return parts && isDay(Number(parts[1]), Number(parts[2]), Number(parts[3])) ? text : undefined
}

const momentForm =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d+))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** The moment in UTC with three digits of a second (further ones are cut), or undefined where it is none. */
export function readTimestamp(text: string): string | undefined {
  const parts = momentForm.exec(text)
  if (!parts) return undefined
  const [, day = '', hours, minutes, seconds, fraction = '', offset] = parts
  if (!readDate(day)) return undefined
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3)
  const local = `${day}T${hours}:${minutes}:${seconds}.${milliseconds}`
  if (offset === 'Z') return `${local}Z`
  const moment = new Date(`${local}${offset}`)
  const year = moment.getUTCFullYear()
  // An offset may carry the first or the last day of the calendar out of four-digit years.
  return year >= 1 && year <= 9999 ? moment.toISOString() : undefined
}

function isDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return day <= (month === 2 ? (isLeap ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31)
}
