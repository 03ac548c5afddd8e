/** Forms English plurals for titles and summaries. Names of an api stay singular. */

/** Nouns that have no plural. */
const uncountable = new Set(
  'advice data equipment feedback hardware information media metadata money music news series software species staff'.split(
    ' ',
  ),
)

/** Singular nouns that end like a plural. The table of `singularOf` is too large for a browser. */
const singularInS = new Set('alias atlas bias canvas gas lens'.split(' '))

/** Whether a word looks like a plural: `users`, but not `address`, `status` or `analysis`. */
function isPlural(word: string): boolean {
  return /(^people|children|^men|women|[^aious]s|[^i]as|ios|eos|oes)$/.test(word) && !singularInS.has(word)
}

/** The first match wins. */
const endings: readonly (readonly [singular: RegExp, plural: string])[] = [
  [/person$/, 'people'],
  [/child$/, 'children'],
  [/(^|wo|sales|police|fire|chair|crafts|fore|work)man$/, '$1men'],
  [/(criteri|phenomen)on$/, '$1a'],
  [/^mouse$/, 'mice'],
  [/^goose$/, 'geese'],
  [/^foot$/, 'feet'],
  [/^tooth$/, 'teeth'],
  [/(kni|wi|li)fe$/, '$1ves'],
  [/(cal|hal|loa|shel|thie|wol)f$/, '$1ves'],
  [/(lys|gnos|thes|cris|nops|oas|emphas|ellips|genes|^ax)is$/, '$1es'],
  [/(her|potat|tomat|ech|vet|carg)o$/, '$1oes'],
  [/quiz$/, 'quizzes'],
  [/([^aeiou]|qu)y$/, '$1ies'],
  [/(s|x|z|ch|sh)$/, '$1es'],
  [/$/, 's'],
]

/**
 * Returns the plural of an English noun, or the name itself if it is a plural already or has none. In a name of several words,
 * the last one changes: `cost-center` gives `cost-centers`.
 *
 * @example
 * ```ts
 * pluralOf('category') // 'categories'
 * pluralOf('cost center') // 'cost centers'
 * ```
 */
export function pluralOf(name: string): string {
  const start = Math.max(name.lastIndexOf('-'), name.lastIndexOf(' ')) + 1
  const word = name.slice(start)
  if (word === '' || uncountable.has(word) || isPlural(word)) return name
  const ending = endings.find(([singular]) => singular.test(word))
  return name.slice(0, start) + (ending ? word.replace(...ending) : word)
}
