/** A small judge of English plurals, without a dictionary: it would rather miss one than accuse a singular. */

const words = (all: string) => all.split(' ')

const irregular = new Map([
  ['men', 'man'],
  ['oxen', 'ox'],
  ['mice', 'mouse'],
  ['geese', 'goose'],
  ['feet', 'foot'],
  ['teeth', 'tooth'],
  ['criteria', 'criterion'],
  ['phenomena', 'phenomenon'],
  ['bacteria', 'bacterium'],
  ['curricula', 'curriculum'],
  ['memoranda', 'memorandum'],
  ['schemata', 'schema'],
  ['indices', 'index'],
  ['matrices', 'matrix'],
  ['vertices', 'vertex'],
  ['appendices', 'appendix'],
  ['alumni', 'alumnus'],
  ['cacti', 'cactus'],
  ['fungi', 'fungus'],
  ['nuclei', 'nucleus'],
  ['octopi', 'octopus'],
  ['radii', 'radius'],
  ['stimuli', 'stimulus'],
  ['syllabi', 'syllabus'],
  ['antennae', 'antenna'],
  ['formulae', 'formula'],
  ['axes', 'axis'],
  ['quizzes', 'quiz'],
  ['aliases', 'alias'],
  ['atlases', 'atlas'],
  ['biases', 'bias'],
  ['canvases', 'canvas'],
  ['gases', 'gas'],
  ['irises', 'iris'],
  ['lenses', 'lens'],
  ['calves', 'calf'],
  ['halves', 'half'],
  ['knives', 'knife'],
  ['leaves', 'leaf'],
  ['lives', 'life'],
  ['loaves', 'loaf'],
  ['shelves', 'shelf'],
  ['scarves', 'scarf'],
  ['thieves', 'thief'],
  ['wives', 'wife'],
  ['wolves', 'wolf'],
  // Too short, or too much like a singular in -is or -us, for the rules below.
  ...words('ad api cd cpu emoji gpu gui guru id kiwi kpi menu safari sku submenu taxi tv ui uri wiki').map(
    (word) => [`${word}s`, word] as const,
  ),
])

/** Words whose plural takes an s and nothing else, though it looks like one that takes more. */
const plainInE = new Set(
  words(
    'ache avalanche cache cliche headache moustache niche quiche ' +
      'calorie cookie die foodie freebie genie hoodie lie magpie movie newbie pie prairie rookie selfie smoothie tie zombie ' +
      'aloe canoe foe hoe horseshoe oboe shoe toe woe ' +
      'abuse excuse fuse misuse muse recluse refuse reuse ruse use',
  ),
)

/** Singulars in s, and plurals that have no singular, or none of the same meaning. */
const singularInS = new Set(
  words(
    'acoustics aerobics aesthetics alias always analytics asbestos athletics atlas barracks bias biceps binoculars ' +
      'biogas canvas caries chaos christmas clothes corps cosmos crossroads customs dbms devops diabetes economics ' +
      'electronics ergonomics ethics ethos forceps gallows genetics goods gymnastics headquarters herpes https innings ' +
      'iaas iops jeans kubernetes kudos lens linguistics logistics macos mathematics means measles mews molasses mumps ' +
      'news nodejs paas pancreas pants pathos perhaps physics politics postgres pyjamas rabies rdbms rhinoceros ' +
      'robotics saas sales scissors series shambles species summons thanks thermos triceps trousers tweezers',
  ),
)

/** The first that fits counts. */
const endings: readonly (readonly [plural: RegExp, singular: string])[] = [
  [/people$/, 'person'],
  [/children$/, 'child'],
  [/(wo|s|k|ce|re|ir|le)men$/, '$1man'],
  [/(lys|gnos|thes|cris|nops|oas|emphas|ellips|genes|rphos)es$/, '$1is'],
  [/(ch|sh|ss|x|zz|tz)es$/, '$1'],
  [/ies$/, 'y'],
  [/oes$/, 'o'],
  [/([ao]use)s$/, '$1'],
  [/uses$/, 'us'],
  [/s$/, ''],
]

/**
 * The singular of a word that is plainly plural, else undefined. Of a kebab-case name only the last word counts:
 * `user-roles` gives `user-role`.
 *
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
  const known = irregular.get(word)
  if (known !== undefined) return known
  if (word.length < 4 || singularInS.has(word) || /(ss|us|is)$/.test(word)) return undefined
  if (plainInE.has(word.slice(0, -1)) && word.endsWith('s')) return word.slice(0, -1)
  const found = endings.find(([plural]) => plural.test(word))
  return found && word.replace(...found)
}
