/** Names of foreign contracts and databases, brought into the form of the conventions. */
import { singularOf } from '@nomen/core'

/** The words of a name, however it is written: `first_name`, `FirstName`, `firstName`. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

/** `UserAccounts` gives `user-account`; undefined where there is no name in it. */
export function nounName(name: string): string | undefined {
  const kebab = wordsOf(name)
    .join('-')
    .replace(/^[^a-z]+/, '')
  return kebab === '' ? undefined : (singularOf(kebab) ?? kebab)
}

/** `firstName` gives `first-name`. */
export function kebab(name: string): string {
  return wordsOf(name).join('-')
}

/** `first_name` gives `firstName`, and `user_name` of a user gives `name`; undefined where there is no name in it. */
export function propertyName(noun: string, name: string): string | undefined {
  const words = wordsOf(name)
  const prefix = noun.split('-')
  const isPrefixed = words.length > prefix.length && prefix.every((word, index) => words[index] === word)
  const rest = isPrefixed && /^[a-z]/.test(words[prefix.length] ?? '') ? words.slice(prefix.length) : words
  const camel = rest.map((word, index) => (index === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`)).join('')
  return /^[a-z]/.test(camel) ? camel : undefined
}
