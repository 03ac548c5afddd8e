/** The words of a name, however it is written. */

/** `userRole`, `UserRole`, `user_role` and `user-role` are `user role`; `thingID` is `thing id`. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

/** Whether a name is one of an identifier: `id`, `userRef`, `external_uuid`. */
export function isIdentifier(name: string): boolean {
  return /^(id|ref|uuid|guid|uid)$/.test(wordsOf(name).at(-1) ?? '')
}
