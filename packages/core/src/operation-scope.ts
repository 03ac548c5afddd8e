/** What a caller must be allowed to do for an operation: the noun and the verb of its scope. */
import type { Operation } from './operation.ts'

/**
 * The scope of an operation: `user:read`, `user:write`. The noun is the one that is read or changed, however deep it is
 * nested. A link changes none of its two records; it belongs to the one whose path it stands below, so that
 * `PUT /role/{roleRef}/action/{actionRef}` takes `role:write`.
 *
 * ```ts
 * operations(directory).map(scopeOf) // ['user:read', 'user:read', …, 'user:write']
 * ```
 */
export function scopeOf({ method, resource, link, levels }: Operation): string {
  if (method === 'GET') return `${resource.noun.name}:read`
  const bearer = link ? levels.at(-2) : undefined
  return `${(bearer?.resource ?? resource).noun.name}:write`
}

/**
 * Whether the scopes of a caller cover one that is asked for; `*:read` and `*:write` are those of every noun.
 *
 * ```ts
 * isCovered('user:read', ['*:read', 'role:write']) // true
 * ```
 */
export function isCovered(scope: string, scopes: readonly string[]): boolean {
  return scopes.includes(scope) || scopes.includes(`*${scope.slice(scope.indexOf(':'))}`)
}
