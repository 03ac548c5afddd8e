/** A value as it stands in a message, cut where it is long. */

const longest = 80

export function quoted(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > longest ? `${text.slice(0, longest - 3)}…"` : text
}
