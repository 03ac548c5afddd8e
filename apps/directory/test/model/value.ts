/** Values in the model: parsing, comparison and case folding. */

export type Value = string | number | boolean | null

/** Null first; numbers by size; false before true; text by code point. */
export function compareValues(a: Value, b: Value): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  return Number(a) - Number(b)
}

function compareTexts(a: string, b: string): number {
  const [left, right] = [codePoints(a), codePoints(b)]
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = Number(left[index]) - Number(right[index])
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

function codePoints(text: string): number[] {
  return Array.from(text, (character) => Number(character.codePointAt(0)))
}

/** The form in which a search compares texts: ß and its capital are ss, and a final ς is a σ. */
export function foldCase(text: string): string {
  return text.replaceAll('ẞ', 'ß').toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/** The form in which e-mail addresses are compared. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** A safe integer of digits with an optional minus; undefined for other texts. */
export function readInteger(text: string): number | undefined {
  if (!/^-?[0-9]+$/.test(text)) return undefined
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : undefined
}

/** A timestamp in UTC with milliseconds, or undefined if the text is not a timestamp. */
export function readTimestamp(text: string): string | undefined {
  const match = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(text)
  if (!match || !isCalendarDay(String(match[1]))) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

/** Whether the text is a day of the calendar: `2026-02-30` is not. */
export function isCalendarDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00.000Z`)
  return !Number.isNaN(time) && new Date(time).toISOString() === `${text}T00:00:00.000Z`
}

/** Whether a database can store the text. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && !/\p{Surrogate}/u.test(text)
}

export function isGuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
