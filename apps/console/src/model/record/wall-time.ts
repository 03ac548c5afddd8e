/** Times as an input of date and time has them: without a zone, and with as many digits as the value needs. */

/** The UTC time of a value without a zone, as forms keep it. */
function timeOf(value: string): number {
  return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(value) ? value : `${value}Z`)
}

/** The text of the input; empty if the value is not a time. */
export function wallTime(value: string, isLocal: boolean): string {
  const time = timeOf(value)
  if (Number.isNaN(time)) return ''
  const text = new Date(isLocal ? sameDigitsInUtc(new Date(time)) : time).toISOString().slice(0, -1)
  return text.replace(/\.000$/, '').replace(/(T\d\d:\d\d):00$/, '$1')
}

/** The UTC time with the same digits. The offset of a zone is not enough, because old ones have seconds. */
function sameDigitsInUtc(local: Date): number {
  const utc = new Date(0)
  utc.setUTCFullYear(local.getFullYear(), local.getMonth(), local.getDate())
  return utc.setUTCHours(local.getHours(), local.getMinutes(), local.getSeconds(), local.getMilliseconds())
}

/** The value of an input in UTC; empty if the input is. */
export function utcTime(input: string, isLocal: boolean): string {
  const time = isLocal ? Date.parse(input) : timeOf(input)
  return Number.isNaN(time) ? '' : new Date(time).toISOString()
}

/** The step of the input in seconds: without seconds unless the value has some. */
export function timeStep(value: string): string {
  const [, seconds, fraction] = /T\d\d:\d\d(:\d\d)?(\.\d+)?/.exec(wallTime(value, false)) ?? []
  return fraction === undefined ? (seconds === undefined ? '60' : '1') : '0.001'
}
