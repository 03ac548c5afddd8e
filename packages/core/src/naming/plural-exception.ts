/** Words to which the rules of English plurals do not apply. */

const words = (all: string) => all.split(' ')

/** Singulars by plural. */
export const irregularPlurals = new Map([
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
  ['gases', 'gas'],
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
export const pluralsWithS = new Set(
  words(
    'ache apache avalanche cache cliche creche headache heartache moustache mustache niche psyche quiche ' +
      'auntie beanie birdie bogie bookie bourgeoisie bowtie brasserie brownie budgie calorie collie cookie cowrie die ' +
      'foodie freebie genie goalie groupie hippie hoodie hottie indie junkie laddie lie lingerie magpie movie necktie ' +
      'newbie patisserie pie pixie prairie quickie reverie ' +
      'rookie rotisserie selfie smoothie sortie sweetie tie zombie ' +
      'aloe canoe doe foe hoe oboe sloe toe woe ' +
      'abuse excuse fuse misuse muse recluse refuse reuse ruse use ' +
      'corpse mousse pickaxe posse finesse impasse crevasse lacrosse',
  ),
)

/** Singulars that end in s, plurals without a singular of the same meaning, and verbs, such as the property "contains". */
export const singularsInS = new Set(
  words(
    // Places and people.
    'algiers angeles antares arkansas athens bahamas barbados brussels cannes cyclades dallas dickens holmes honduras ' +
      'kansas laos maldives mars massachusetts moses naples netherlands olympics philippines pisces seychelles texas ' +
      'wales yokuts ' +
      // Other names and abbreviations.
      'almaws apns apos appios bgps caps charles chromeos containersas cors countyns cronos databricks dbms devops fips gbps gecos hdfs https iaas ' +
      'iops itunes james jenkins jwks kbps kubernetes ldaps macos mbps mntops nodejs npdes paas placens postgres rdbms redis ' +
      'rootfs saas saveas statens stusps synopsys tezos thomas trados trans upgradeos vies vipps webhdfs windows wmts xmlns ' +
      // Sciences and similar words.
      'acoustics acrobatics aerobics aesthetics athletics demographics diagnostics electronics ethics financials graphics ' +
      'gymnastics hermeneutics heuristics hydraulics linguistics logistics mechanics obstetrics optics politics robotics ' +
      'semantics tactics vitals ' +
      // Singulars.
      'adios alias always asbestos atlas backwoods bathos bias biogas canvas caries chaos christmas cosmos dais diabetes ' +
      'ethos fracas herpes innings kudos lens measles mews molasses mumps news pancreas pathos perhaps rabies rhinoceros ' +
      'rendezvous summons thermos towards velours whereas yaws yes ' +
      // Used in the plural only, or with another meaning.
      'barracks bellows belongings bifocals binoculars clothes confines corps crossroads customs downstairs dungarees earnings ' +
      'droppings drygoods environs essentials eyeglasses fantods glanders histrionics ' +
      'gallows glasses goods headquarters initials jeans jodhpurs knickers lyrics means mores odds others pajamas panties ' +
      'pants pliers ' +
      'premises proceeds pyjamas remains sales savings scissors shambles shears shorts soapsuds stats suds sunglasses surroundings ' +
      'thanks tidings ' +
      'trousers tweezers underclothes underpants upstairs whereabouts ' +
      // Verbs.
      'allows applies becomes begins belongs connects consists contains continues creates deletes depends describes ' +
      'equals excludes exists expires follows happens includes inherits occurs provides receives refers removes ' +
      'requires succeeds suggests',
  ),
)

/** Endings of sciences, and of compounds without a hyphen: `timeseries`, `subspecies`, `radiodns`. */
export const singularEnding =
  /(dynamics|phonemics|statics|physics|nomics|netics|(?<!sche)matics|ceps|(?<!nur|mi|s)series|species|analytics|statistics|dns|(?<![ai])sms|naics|storagelens|commons|arrears|qos|alias)$/
