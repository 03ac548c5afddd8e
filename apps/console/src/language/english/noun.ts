/** English forms of the nouns and field names of a service. */

const irregular: { readonly [noun: string]: string } = {
  person: 'people',
  child: 'children',
  man: 'men',
  woman: 'women',
}

/** `cost center` gives `cost centers`. Rare irregular nouns get a regular plural. */
export function pluralOf(noun: string): string {
  const [, before = '', last = ''] = /^(.* )?(.*)$/.exec(noun) ?? []
  const plural = irregular[last]
  if (plural !== undefined) return before + plural
  if (/[^aeiou]y$/.test(last)) return `${before}${last.slice(0, -1)}ies`
  return `${before}${last}${/(s|x|z|ch|sh)$/.test(last) ? 'es' : 's'}`
}

/** `a user`, `an action`: by how the word sounds, as far as its spelling shows it. */
export function withArticle(noun: string): string {
  return `${/^[aeio]|^u(?!n?i|s[ae]|ti)|^hour/i.test(noun) && !/^(eu|one|once)/i.test(noun) ? 'an' : 'a'} ${noun}`
}

/** `First name` gives `first name`, and `ID` stays. */
export function inSentence(title: string): string {
  return /^.[^A-Z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title
}
