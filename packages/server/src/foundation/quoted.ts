/** Formats values and sentences for messages. */

const maxLength = 80

/** A value as JSON; long strings are cut. */
export function quoted(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? 'nothing'
  return typeof value === 'string' && text.length > maxLength ? `${cut(text)}"` : text
}

/** A string without quotes; long strings are cut. */
export function cut(text: string, length = maxLength): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

/** Adds a full stop if the string does not end with a punctuation mark. */
export function sentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`
}
