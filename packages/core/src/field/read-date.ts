/** Reads ISO 8601 dates and timestamps strictly, into one canonical form. */

/** The date, or undefined if it is not valid. The first year is 0001, because not every database has earlier years. */
export function readDate(text: string): string | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  return match && isDay(Number(match[1]), Number(match[2]), Number(match[3])) ? text : undefined
}

const timestampPattern =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d+))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** The timestamp in UTC with milliseconds (further digits are cut), or undefined if it is not valid. */
export function readTimestamp(text: string): string | undefined {
  const match = timestampPattern.exec(text)
  if (!match) return undefined
  const [, date = '', hours, minutes, seconds, fraction = '', offset] = match
  if (!readDate(date)) return undefined
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3)
  const local = `${date}T${hours}:${minutes}:${seconds}.${milliseconds}`
  if (offset === 'Z') return `${local}Z`
  const utc = new Date(`${local}${offset}`)
  const year = utc.getUTCFullYear()
  // An offset may move the first or the last day of the calendar out of the four-digit years.
  return year >= 1 && year <= 9999 ? utc.toISOString() : undefined
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return day <= (month === 2 && isLeapYear ? 29 : (daysOfMonths[month - 1] as number))
}
