/** Reads the times of log lines from their bytes. */
import { monthNames } from '../wire/access-log.ts'
import { colon, hyphen, readDigits, readTwoDigits, slash } from './log-bytes.ts'

export class TimeReader {
  /** The last timestamp of another day, and the time when that day began. */
  #day = new Uint8Array(26)
  #midnight = 0

  /**
   * Reads `15/11/2026:03:29:00 +0000`, or with 1 extra byte `15/Nov/2026:03:29:00 +0000`. The day and the offset are mostly
   * those of the line before. NaN if it is not a time.
   */
  read(bytes: Uint8Array, start: number, extra: number): number {
    if (!this.#isKnownDay(bytes, start, extra) && !this.#readDay(bytes, start, extra)) return Number.NaN
    const clock = start + 11 + extra
    if (bytes[clock + 2] !== colon || bytes[clock + 5] !== colon) return Number.NaN
    const hours = readTwoDigits(bytes, clock)
    const minutes = readTwoDigits(bytes, clock + 3)
    const seconds = readTwoDigits(bytes, clock + 6)
    const time = this.#midnight + ((hours * 60 + minutes) * 60 + seconds) * 1000
    return time >= 0 && hours <= 23 && minutes <= 59 && seconds <= 59 ? time : Number.NaN
  }

  #isKnownDay(bytes: Uint8Array, start: number, extra: number): boolean {
    const day = this.#day
    for (let index = 0; index < 11 + extra; index++) if (day[index] !== bytes[start + index]) return false
    for (let index = 20 + extra; index < 25 + extra; index++) if (day[index] !== bytes[start + index]) return false
    return true
  }

  /** Stores the time when the day began, in the time zone of the line. */
  #readDay(bytes: Uint8Array, start: number, extra: number): boolean {
    const year = start + 6 + extra
    const zone = year + 14
    const sign = bytes[zone] === 0x2b ? 1 : bytes[zone] === hyphen ? -1 : Number.NaN
    if (bytes[start + 2] !== slash || bytes[year - 1] !== slash || bytes[year + 4] !== colon) return false
    const month = extra === 0 ? readTwoDigits(bytes, start + 3) - 1 : monthAt(bytes, start + 3)
    const midnight = Date.UTC(readDigits(bytes, year, year + 4), month, readTwoDigits(bytes, start))
    const offset = (readTwoDigits(bytes, zone + 1) * 60 + readTwoDigits(bytes, zone + 3)) * 60_000
    // A day that the month does not have would become a day of the next month.
    const date = new Date(midnight)
    if (Number.isNaN(sign * offset) || date.getUTCDate() !== readTwoDigits(bytes, start)) return false
    if (date.getUTCMonth() !== month) return false
    this.#day = bytes.slice(start, start + 25 + extra)
    this.#midnight = midnight - sign * offset
    return true
  }
}

/** The number of a month by its name, from 0; -1 for any other string. */
function monthAt(bytes: Uint8Array, start: number): number {
  return monthNames.indexOf(String.fromCharCode(...bytes.subarray(start, start + 3)))
}
