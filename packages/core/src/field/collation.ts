/** The collations (sort orders) of text fields. */

/** `root` is the order of most languages; the others have additional letters, or another order. */
export const collations = [
  'root',
  'cs',
  'da',
  'de',
  'en',
  'es',
  'et',
  'fi',
  'fr',
  'hr',
  'hu',
  'it',
  'lt',
  'lv',
  'nb',
  'nl',
  'nn',
  'pl',
  'pt',
  'ro',
  'sk',
  'sl',
  'sv',
  'tr',
] as const

/** The sort order of a text field: a language code (ISO 639-1), or `root` for the order of the Unicode root collation. */
export type Collation = (typeof collations)[number]
