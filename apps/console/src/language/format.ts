/** Numbers, dates, lists and plural forms of a locale. The browser's formatters are slow to create, so each is created once. */

export interface Format {
  readonly locale: string
  /** `12,345`; at most 3 decimal places. */
  number(value: number): string
  /** A value of a record, without the rounding error of its binary form. Four digits may be a year or a code, so they have no separator. */
  value(value: number): string
  /** An exact decimal, such as an amount, with all its digits; the text itself if it is not one. */
  decimal(text: string): string
  /** `.` or `,` */
  readonly decimalSign: string
  /** `12K`, for narrow cells. */
  short(value: number): string
  /** A calendar date or the UTC date of a time; the text itself if it is neither. */
  day(text: string): string
  /** The UTC time of day of a time. */
  time(text: string): string
  /** Date and time in the time zone of the browser, with the name of the zone. */
  local(text: string): string
  /** The date of a time in the time zone of the browser. */
  localDay(text: string): string
  /** The time of day in the time zone of the browser, with the name of the zone. */
  localTime(text: string): string
  /** `in 7 seconds` */
  inSeconds(seconds: number): string
  /** `a, b, and c` */
  and(items: readonly string[]): string
  /** `a, b, or c` */
  or(items: readonly string[]): string
  /** The form of a count. `other` is the form of every plural category without its own. */
  plural(count: number, forms: PluralForms): string
}

type PluralForms = { readonly [Category in Intl.LDMLPluralRule]?: string } & { readonly other: string }

export function formatFor(locale: string): Format {
  const numbers = once(() => new Intl.NumberFormat(locale))
  const shortNumbers = once(
    () => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1, useGrouping: true }),
  )
  const integers = once(() => new Intl.NumberFormat(locale, { useGrouping: 'min2' }))
  const fractions = once(() => new Intl.NumberFormat(locale, { useGrouping: 'min2', maximumSignificantDigits: 15 }))
  const days = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }))
  const times = once(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }))
  const locals = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' }))
  const localDays = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))
  const localTimes = once(
    () => new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }),
  )
  const relatives = once(() => new Intl.RelativeTimeFormat(locale))
  const conjunctions = once(() => new Intl.ListFormat(locale, { type: 'conjunction' }))
  const disjunctions = once(() => new Intl.ListFormat(locale, { type: 'disjunction' }))
  const plurals = once(() => new Intl.PluralRules(locale))
  return {
    locale,
    number: (value) => numbers().format(value),
    value: (value) => (Number.isInteger(value) ? integers : fractions)().format(value),
    decimal: (text) => decimalIn(text, locale) ?? text,
    decimalSign: new Intl.NumberFormat(locale).format(0.5).replace(/\p{N}/gu, ''),
    short: (value) => (value < 10_000 ? numbers() : shortNumbers()).format(value),
    day: (text) => dateIn(text, days) ?? text,
    time: (text) => dateIn(text, times) ?? text,
    local: (text) => dateIn(text, locals) ?? text,
    localDay: (text) => dateIn(text, localDays) ?? text,
    localTime: (text) => dateIn(text, localTimes) ?? text,
    inSeconds: (seconds) => relatives().format(seconds, 'second'),
    and: (items) => conjunctions().format(items),
    or: (items) => disjunctions().format(items),
    plural: (count, forms) => forms[plurals().select(count)] ?? forms.other,
  }
}

function once<Value>(create: () => Value): () => Value {
  let value: Value | undefined
  return () => {
    value ??= create()
    return value
  }
}

/** The formatter reads the text itself, because a number would lose digits. */
function decimalIn(text: string, locale: string): string | undefined {
  const match = /^-?\d+(?:\.(\d+))?$/.exec(text)
  if (!match) return undefined
  const digits = Math.min(match[1]?.length ?? 0, 100)
  const formatter = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return formatter.format(text as Intl.StringNumericLiteral)
}

function dateIn(text: string, formatter: () => Intl.DateTimeFormat): string | undefined {
  const date = new Date(text)
  return /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(date.getTime()) ? formatter().format(date) : undefined
}
