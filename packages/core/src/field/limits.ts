/** The limits and options that fields are declared with: length, pattern, range, precision and scale. */
import type { Collation } from './collation.ts'

/** Length limits of a text field. */
export interface TextLimits {
  /**
   * The minimum length in characters (Unicode code points): `text({ minLength: 1 })` rejects an empty string.
   *
   * @default 0
   */
  readonly minLength?: number
  /**
   * The maximum length in characters (Unicode code points): `text({ maxLength: 80 })`.
   *
   * @default unlimited; 254 for an e-mail address
   */
  readonly maxLength?: number
}

/** Options of a text field. */
export interface TextOptions extends TextLimits {
  /**
   * The regular expression that a value must match: `text({ pattern: /^[A-Z]{2}$/ })`. It may match anywhere; add `^` and
   * `$` to match the whole string. It works on code points (flag `u`). Lookaround and backreferences are not supported, so
   * matching takes linear time.
   */
  readonly pattern?: RegExp
  /**
   * The collation (sort order) of lists that are sorted by the field: `text({ sort: 'de' })`. It is a language, or `'root'`
   * for the order that most languages share: letters first, then accents, then case, so that "Ångström" comes before "Zoe".
   *
   * @default the order of code points: "Zoe" comes before "adam", and both before "Ångström"
   */
  readonly sort?: Collation
  /**
   * How the query parameter `search` compares the strings, in resources that search the field:
   * `text({ search: 'accent-insensitive' })` finds "Müller", "Muller" and "MULLER" for each of them.
   *
   * @default only case is ignored
   */
  readonly search?: 'accent-insensitive'
}

/** Minimum and maximum of a number, decimal, date or timestamp. */
export interface Range<Bound> {
  /** The smallest allowed value: `integer({ min: 0 })`. */
  readonly min?: Bound
  /** The largest allowed value: `date({ max: '2099-12-31' })`. */
  readonly max?: Bound
}

/** Precision, scale and range of a decimal field. */
export interface DecimalLimits extends Range<string> {
  /**
   * The total number of digits, from 1 to 18: `decimal({ precision: 12, scale: 2 })`.
   *
   * @default 18
   */
  readonly precision?: number
  /** The number of digits after the decimal point, less than the precision: `decimal({ scale: 2 })`. */
  readonly scale: number
}
