/** Converts names of other documents and databases to the naming conventions. */
import { singularOf } from '@nomen/core'

/** The words of a name in any notation: `first_name`, `FirstName`, `firstName`. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

/** `UserAccounts` becomes `user-account`; undefined for a name without letters. */
export function nounName(name: string): string | undefined {
  const kebab = wordsOf(name)
    .join('-')
    .replace(/^[^a-z]+/, '')
  return kebab === '' ? undefined : (singularOf(kebab) ?? kebab)
}

/** `firstName` becomes `first-name`. */
export function kebabCase(name: string): string {
  return wordsOf(name).join('-')
}

/** `first_name` becomes `firstName`, and `user_name` of a user becomes `name`; undefined for a name without letters. */
export function propertyName(noun: string, name: string): string | undefined {
  const words = wordsOf(name)
  const prefix = noun.split('-')
  const isPrefixed = words.length > prefix.length && prefix.every((word, index) => words[index] === word)
  const ownWords = isPrefixed && /^[a-z]/.test(words[prefix.length] ?? '') ? words.slice(prefix.length) : words
  const camel = ownWords
    .map((word, index) => (index === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`))
    .join('')
  return /^[a-z]/.test(camel) ? camel : undefined
}
