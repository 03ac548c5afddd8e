/** What a caller must be allowed to do for an operation: the nouns and verbs of its scope. */
import type { Operation } from './operation.ts'

/**
 * The scope of an operation as OAuth writes it, names with spaces between: `user:read`, `user:write user:read`. The noun is
 * the one that is read or changed, however deep it is nested. A write answers the record, so it also takes the scope to read
 * that record. A link changes none of its two records; it belongs to the one whose path it is below, so that
 * `PUT /role/{roleRef}/action/{actionRef}` takes `role:write action:read`. An operation of the service's own answers its own
 * shape: a write among these takes `write` alone.
 *
 * ```ts
 * operations(directory).map(scopeOf) // ['user:read', 'user:read', …, 'user:write user:read']
 * ```
 */
export function scopeOf({ method, resource, link, levels, custom }: Operation): string {
  const read = `${resource.noun.name}:read`
  if (method === 'GET') return read
  const bearer = link ? levels.at(-2) : undefined
  const write = `${(bearer?.resource ?? resource).noun.name}:write`
  return custom ? write : `${write} ${read}`
}

/**
 * Whether the scopes of a caller cover all that an operation takes; `*:read` and `*:write` are those of every noun.
 *
 * ```ts
 * isCovered('user:read', ['*:read', 'role:write']) // true
 * isCovered('user:write user:read', ['user:write']) // false
 * ```
 */
export function isCovered(scope: string, scopes: readonly string[]): boolean {
  const gap = scope.indexOf(' ')
  if (gap !== -1) return isCovered(scope.slice(0, gap), scopes) && isCovered(scope.slice(gap + 1), scopes)
  return scopes.includes(scope) || scopes.includes(`*${scope.slice(scope.indexOf(':'))}`)
}
