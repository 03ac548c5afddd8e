/** A small judge of English plurals, without a dictionary: it would rather miss one than accuse a singular. */

const irregular = new Map([
  ['people', 'person'],
  ['children', 'child'],
  ['men', 'man'],
  ['women', 'woman'],
  ['mice', 'mouse'],
  ['geese', 'goose'],
  ['feet', 'foot'],
  ['teeth', 'tooth'],
  ['criteria', 'criterion'],
  ['phenomena', 'phenomenon'],
  ['indices', 'index'],
  ['matrices', 'matrix'],
  ['vertices', 'vertex'],
  ['appendices', 'appendix'],
  ['analyses', 'analysis'],
  ['diagnoses', 'diagnosis'],
  ['theses', 'thesis'],
  ['crises', 'crisis'],
  ['hypotheses', 'hypothesis'],
  ['addresses', 'address'],
  ['aliases', 'alias'],
  ['buses', 'bus'],
  ['gases', 'gas'],
  ['lenses', 'lens'],
  ['canvases', 'canvas'],
  ['bonuses', 'bonus'],
  ['campuses', 'campus'],
  ['statuses', 'status'],
  ['viruses', 'virus'],
  ['licenses', 'license'],
  ['expenses', 'expense'],
  ['responses', 'response'],
  ['warehouses', 'warehouse'],
  ['houses', 'house'],
  ['cases', 'case'],
  ['bases', 'base'],
  ['databases', 'database'],
  ['leases', 'lease'],
  ['releases', 'release'],
  ['purchases', 'purchase'],
  ['leaves', 'leaf'],
  ['shelves', 'shelf'],
  ['movies', 'movie'],
  ['cookies', 'cookie'],
  ['calories', 'calorie'],
  ['ties', 'tie'],
  ['heroes', 'hero'],
  ['echoes', 'echo'],
  ['potatoes', 'potato'],
  ['axes', 'axis'],
])

const singularInS = new Set(
  (
    'alias always atlas axis bias bus campus canvas chaos christmas cosmos diabetes ethos gas headquarters lens means ' +
    'news pancreas pants perhaps physics politics mathematics economics logistics series species sales sms dns css os ' +
    'ios https aws gps pos sas bps kudos rhinoceros tennis trousers'
  ).split(' '),
)

/**
 * The singular of a word that is plainly plural, else undefined. Of a kebab-case name only the last word counts:
 * `user-roles` gives `user-role`.
 */
export function singularOf(name: string): string | undefined {
  const start = name.lastIndexOf('-') + 1
  const singular = singularWord(name.slice(start))
  return singular === undefined ? undefined : name.slice(0, start) + singular
}

function singularWord(word: string): string | undefined {
  const known = irregular.get(word)
  if (known) return known
  if (
    word.length < 4 ||
    !word.endsWith('s') ||
    singularInS.has(word) ||
    /(ss|us|is|ous|itis|ness|sis|xis)$/.test(word)
  ) {
    return undefined
  }
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(ch|sh|x|z|ss)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}
