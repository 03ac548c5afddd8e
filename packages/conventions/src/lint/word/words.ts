/** Formats words as names, and names as text. */

export function camelCase(words: readonly string[]): string {
  return words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')
}

export function kebabCase(words: readonly string[]): string {
  return words.join('-')
}

/** `"a", "b" and 3 more`. */
export function nameList(names: readonly string[]): string {
  const maxShown = 5
  const shownNames = names.slice(0, names.length === maxShown + 1 ? maxShown + 1 : maxShown).map((name) => `"${name}"`)
  const hiddenCount = names.length - shownNames.length
  if (hiddenCount > 0) return `${shownNames.join(', ')} and ${hiddenCount} more`
  const last = shownNames.pop() ?? ''
  return shownNames.length === 0 ? last : `${shownNames.join(', ')} and ${last}`
}
