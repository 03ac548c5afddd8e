/** Detects English plurals without a dictionary. It prefers a missed plural to a false alarm. */
import { irregularPlurals, pluralsWithS, singularEnding, singularsInS } from './plural-exception.ts'

/** The first match wins. */
const endings: readonly (readonly [plural: RegExp, singular: string])[] = [
  [/people$/, 'person'],
  [/children$/, 'child'],
  [/(wo|[clrv]e|rse|[eiou]r|il|ng|[adegr]y|[bcdfhknpstwz])men$/, '$1man'],
  [/(wi|kni)ves$/, '$1fe'],
  [/(cal|dwar|hal|hoo|loa|scar|sel|shea|shel|thie|whar|wol)ves$/, '$1f'],
  [/(ys|thes|cris|nops|oas|emphas|ellips|genes|phores|nemes|stas|cathars)es$/, '$1is'],
  // Not doses, purposes and other words in -ose.
  [
    /((gn|neur|psych|hypn|fibr|thromb|cul|necr|sten|rrh|scler|osm|bi|rph|the|mit|ket|cyt|kyph|yc|acid|tom|pt|ell|por)os)es$/,
    '$1is',
  ],
  [/(alias|dermis|ellis|iris|itis|pelvis|polis)es$/, '$1'],
  [/(ch|sh|ss|x|zz|tz)es$/, '$1'],
  [/ies$/, 'y'],
  [/shoes$/, 'shoe'],
  [/oes$/, 'o'],
  [/([ao]use)s$/, '$1'],
  [/uses$/, 'us'],
  [/s$/, ''],
]

/**
 * Returns the singular of a plural English noun; undefined if the word does not look like a plural. In a kebab-case name,
 * it checks the last word: `user-roles` gives `user-role`.
 *
 * @example
 * ```ts
 * singularOf('departments') // 'department'
 * singularOf('status') // undefined
 * ```
 */
export function singularOf(name: string): string | undefined {
  const start = name.lastIndexOf('-') + 1
  const singular = singularWord(name.slice(start))
  return singular === undefined ? undefined : name.slice(0, start) + singular
}

function singularWord(word: string): string | undefined {
  const irregularSingular = irregularPlurals.get(word)
  if (irregularSingular !== undefined) return irregularSingular
  // Short words and words with digits are abbreviations, whose s may belong to them: dns, os, s3.
  if (!/^[a-z]{4,}$/.test(word) || singularsInS.has(word) || singularEnding.test(word) || /(ss|us|is)$/.test(word))
    return undefined
  if (word.endsWith('s') && hasPluralWithS(word.slice(0, -1))) return word.slice(0, -1)
  // The plural of a word that itself ends in s: canvases.
  if (word.endsWith('es') && singularsInS.has(word.slice(0, -2))) return word.slice(0, -2)
  const ending = endings.find(([plural]) => plural.test(word))
  return ending && word.replace(...ending)
}

/** Whether only an s forms the plural of the word, or of a compound without a hyphen, such as `filecache`. */
function hasPluralWithS(word: string): boolean {
  return pluralsWithS.has(word) || /(cache|cookie|movie)$/.test(word)
}
