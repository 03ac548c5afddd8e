/** Detects English plurals without a dictionary. It prefers a missed plural to a false alarm. */

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
  ['millennia', 'millennium'],
  ['automata', 'automaton'],
  ['schemata', 'schema'],
  ['indices', 'index'],
  ['matrices', 'matrix'],
  ['vertices', 'vertex'],
  ['appendices', 'appendix'],
  ['alumni', 'alumnus'],
  ['cacti', 'cactus'],
  ['foci', 'focus'],
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
  ['elves', 'elf'],
  ['leaves', 'leaf'],
  ['lives', 'life'],
  ['monies', 'money'],
  // Too short for the rules below, or similar to a singular that ends in -is or -us.
  ...words(
    'ad api bonsai cd cpu emoji emu gpu gui guru id kiwi kpi lanai lei mariachi menu rabbi safari samurai sku ' +
      'submenu sushi taxi tv ui uri wiki',
  ).map((word) => [`${word}s`, word] as const),
])

/** Words that form their plural with only an s, although the ending looks like another rule. */
const plainInE = new Set(
  words(
    'ache avalanche cache cliche creche headache heartache moustache mustache niche quiche ' +
      'beanie bowtie calorie cookie die foodie freebie genie hoodie lie magpie movie necktie newbie pie prairie ' +
      'rookie selfie smoothie tie zombie ' +
      'aloe canoe doe foe hoe oboe toe woe ' +
      'abuse excuse fuse misuse muse recluse refuse reuse ruse use ' +
      'mousse pickaxe',
  ),
)

/** Singulars that end in s, and plurals without a singular of the same meaning. */
const singularInS = new Set(
  words(
    'acoustics aerobics aesthetics alias always analytics asbestos athletics atlas barracks bias biceps binoculars ' +
      'biogas canvas caries chaos christmas clothes corps cosmos crossroads customs dbms devops diabetes economics ' +
      'electronics ergonomics ethics ethos eyeglasses forceps gallows genetics goods graphics gymnastics ' +
      'headquarters herpes https iaas innings iops jeans knickers kubernetes kudos lens linguistics logistics lyrics ' +
      'macos mathematics means measles mews molasses mumps news nodejs paas pajamas pancreas panties pants pathos ' +
      'perhaps physics pliers politics postgres pyjamas rabies rdbms rhinoceros robotics saas sales savings scissors ' +
      'series shambles shorts species statistics summons sunglasses thanks thermos triceps trousers ' +
      'tweezers whereas',
  ),
)

/** The first match wins. */
const endings: readonly (readonly [plural: RegExp, singular: string])[] = [
  [/people$/, 'person'],
  [/children$/, 'child'],
  [/(wo|[clrv]e|rse|[eiou]r|il|ng|[adegr]y|[bcdfhknpstwz])men$/, '$1man'],
  [/(wi|kni)ves$/, '$1fe'],
  [/(cal|dwar|hal|hoo|loa|scar|sel|shea|shel|thie|whar|wol)ves$/, '$1f'],
  [/(lys|gnos|thes|cris|nops|oas|emphas|ellips|genes|rphos|osmos)es$/, '$1is'],
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
  const irregularSingular = irregular.get(word)
  if (irregularSingular !== undefined) return irregularSingular
  if (word.length < 4 || singularInS.has(word) || /(ss|us|is)$/.test(word)) return undefined
  if (plainInE.has(word.slice(0, -1)) && word.endsWith('s')) return word.slice(0, -1)
  const ending = endings.find(([plural]) => plural.test(word))
  return ending && word.replace(...ending)
}
