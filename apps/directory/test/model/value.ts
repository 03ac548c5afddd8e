/** Single values as the model sees them: read from text, compared, folded. */

export type Value = string | number | boolean | null

/** Null first; numbers by size; false before true; text by code point. */
export function order(a: Value, b: Value): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  if (typeof a === 'string' && typeof b === 'string') return orderText(a, b)
  return Number(a) - Number(b)
}

function orderText(a: string, b: string): number {
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

/** The form in which two texts are alike for a search: ß is ss, also when it is a capital, and a final ς is a σ. */
export function folded(text: string): string {
  return text.replaceAll('ẞ', 'ß').toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/** The form in which two e-mail addresses are alike. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** An optional minus and digits, within what a double holds exactly; undefined for everything else. */
export function readInteger(text: string): number | undefined {
  if (!/^-?[0-9]+$/.test(text)) return undefined
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : undefined
}

/** A moment in UTC with milliseconds, or undefined where the text is none. */
export function readMoment(text: string): string | undefined {
  const form = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(text)
  if (!form || !isDay(String(form[1]))) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

/** Whether the text is a day of the calendar: `2026-02-30` is none. */
export function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00.000Z`)
  return !Number.isNaN(at) && new Date(at).toISOString() === `${text}T00:00:00.000Z`
}

/** Whether the text can be stored at all. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && !/\p{Surrogate}/u.test(text)
}
