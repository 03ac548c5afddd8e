/** The wording of messages: values as they stand in them, and where sentences end. */

const maxLength = 80

/** A value, cut where it is long. */
export function quoted(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? 'nothing'
  return typeof value === 'string' && text.length > maxLength ? `${cut(text)}"` : text
}

/** A text without quotes, cut where it is long. */
export function cut(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

/** Ends a sentence that has no end yet. */
export function sentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`
}
