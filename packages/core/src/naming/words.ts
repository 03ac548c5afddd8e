/** Splits names in any notation into words. */

/**
 * Splits a name in camelCase, PascalCase, snake_case or kebab-case into lower-case words.
 *
 * @example
 * ```ts
 * wordsOf('userRole') // ['user', 'role']
 * wordsOf('thing_ID') // ['thing', 'id']
 * ```
 */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

/**
 * Returns whether a property name looks like an identifier, such as `id`, `userRef` or `external_uuid`.
 *
 * @example
 * ```ts
 * isIdentifier('userRef') // true
 * isIdentifier('paid') // false
 * ```
 */
export function isIdentifier(name: string): boolean {
  return /^(id|ref|uuid|guid|uid)$/.test(wordsOf(name).at(-1) ?? '')
}
