/** The color of a choice. */

/** Words of states that have a usual color. Other choices are gray, because their order means nothing. */
const tones: readonly (readonly [string, RegExp])[] = [
  ['teal', /^(active|enabled|open|live|published|approved|paid|done|success|succeeded|completed?|delivered|healthy)$/i],
  ['orange', /^(suspended|pending|waiting|on_hold|paused|warning|overdue|expiring|in_review)$/i],
  ['red', /^(failed|error|rejected|blocked|banned|cancelled|canceled|expired|deleted|gone|critical)$/i],
]

/** The name of a color of the theme. */
export function toneOf(value: unknown): string {
  return tones.find(([, words]) => words.test(`${value}`))?.[0] ?? 'gray'
}
