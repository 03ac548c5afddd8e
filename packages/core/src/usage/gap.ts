/** Gaps of a log: days without lines on which the service usually has some. */

/** Consecutive days without lines, counted since the epoch. */
interface Silence {
  readonly first: number
  /** The number of days. */
  readonly length: number
}

/** A silence in which fewer requests would be expected may be chance. */
const minExpected = 10

/**
 * Returns the days from `first` to `last` without lines on which lines are probably missing, because the service usually has some.
 * `requests` has the number of requests of each day that has lines; days are counted since the epoch. A silence is ordinary
 * in three cases:
 *
 * - The service has quiet weekdays: most of the other dates of the same weekdays have no lines either.
 * - The service has few requests: on average, fewer than 10 in a period of this length.
 * - The service is often silent: on a tenth of the other days, in at least three other silences, one of them at least a third
 *   as long. Quiet weekdays do not count.
 */
export function gapsOf(requests: ReadonlyMap<number, number>, first: number, last: number): readonly number[] {
  const silences = silencesOf(requests.keys(), first, last)
  if (silences.length === 0) return []
  const week = weekOf(silences, first, last)
  const stats = silenceStats(silences, week)
  const sum = [...requests].reduce((total, [day, count]) => (day < first || day > last ? total : total + count), 0)
  return silences.flatMap((silence) => {
    const datesInSilence = week.map((_, weekday) => datesOf(weekday, silence.first, silence.length))
    const unexpected = daysOf(silence).filter((day) => !isQuiet(week, datesInSilence, weekdayOf(day)))
    // If all weekdays are quiet, the average is over all days.
    const otherDays = stats.days - busyDates(silence, stats.quietWeekdays) || last - first + 1 - silence.length
    const isChance = (sum / otherDays) * unexpected.length < minExpected
    return isChance || isUsual(silence, stats) ? [] : unexpected
  })
}

/** The dates of a weekday, and how many of them have no lines. */
interface Weekday {
  dates: number
  silent: number
}

function silencesOf(days: Iterable<number>, first: number, last: number): readonly Silence[] {
  const silences: Silence[] = []
  let start = first
  const daysInRange = [...days].filter((day) => day >= first && day <= last).sort((a, b) => a - b)
  for (const day of [...daysInRange, last + 1]) {
    if (day > start) silences.push({ first: start, length: day - start })
    start = day + 1
  }
  return silences
}

function weekOf(silences: readonly Silence[], first: number, last: number): readonly Weekday[] {
  return Array.from({ length: 7 }, (_, weekday) => ({
    dates: datesOf(weekday, first, last - first + 1),
    silent: silences.reduce((sum, silence) => sum + datesOf(weekday, silence.first, silence.length), 0),
  }))
}

/** Whether most dates of a weekday outside of the silence have no lines. `datesInSilence` are those in it, by weekday. */
function isQuiet(week: readonly Weekday[], datesInSilence: readonly number[], weekday: number): boolean {
  const { dates, silent } = week[weekday] as Weekday
  const inSilence = datesInSilence[weekday] as number
  return dates > inSilence && (silent - inSilence) * 2 > dates - inSilence
}

/** The silences of a service outside of its quiet weekdays, on which three of four dates have no lines. */
interface SilenceStats {
  readonly quietWeekdays: readonly boolean[]
  /** The number of silences. */
  readonly silences: number
  readonly days: number
  readonly silentDays: number
  /** The longest two silences, in days. */
  readonly longest: readonly number[]
}

function silenceStats(silences: readonly Silence[], week: readonly Weekday[]): SilenceStats {
  const quietWeekdays = week.map(({ dates, silent }) => silent * 4 >= dates * 3)
  const others = silences.filter((silence) => busyDates(silence, quietWeekdays) > 0)
  const busy = week.filter((_, weekday) => !quietWeekdays[weekday])
  return {
    quietWeekdays,
    silences: others.length,
    days: busy.reduce((sum, { dates }) => sum + dates, 0),
    silentDays: busy.reduce((sum, { silent }) => sum + silent, 0),
    longest: others
      .map(({ length }) => length)
      .sort((a, b) => b - a)
      .slice(0, 2),
  }
}

function isUsual(silence: Silence, stats: SilenceStats): boolean {
  const ownDays = busyDates(silence, stats.quietWeekdays)
  const others = stats.silences - (ownDays > 0 ? 1 : 0)
  const [longest = 0, second = 0] = stats.longest
  const longestOther = ownDays > 0 && silence.length === longest ? second : longest
  if (others < 3 || longestOther * 3 < silence.length) return false
  return (stats.silentDays - ownDays) * 10 >= stats.days - ownDays
}

/** The number of days that are not on quiet weekdays. */
function busyDates({ first, length }: Silence, quietWeekdays: readonly boolean[]): number {
  return quietWeekdays.reduce(
    (sum, isQuietWeekday, weekday) => sum + (isQuietWeekday ? 0 : datesOf(weekday, first, length)),
    0,
  )
}

/** How often a weekday occurs in consecutive days. */
function datesOf(weekday: number, first: number, length: number): number {
  const offset = (weekday - weekdayOf(first) + 7) % 7
  return offset < length ? Math.floor((length - offset - 1) / 7) + 1 : 0
}

function weekdayOf(day: number): number {
  return ((day % 7) + 7) % 7
}

function daysOf({ first, length }: Silence): readonly number[] {
  return Array.from({ length }, (_, index) => first + index)
}
