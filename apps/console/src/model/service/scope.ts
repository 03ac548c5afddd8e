/** The scopes that a token needs for an operation. */
import type { Operation } from './operation.ts'

/** The missing scopes of the security requirement that lacks the fewest; empty if one of them is met. */
export function missingScopes({ security }: Pick<Operation, 'security'>, scopes: readonly string[]): readonly string[] {
  const missing = security.map((requirement) =>
    Object.values(requirement)
      .flat()
      .filter((scope): scope is string => typeof scope === 'string' && !covers(scopes, scope)),
  )
  return missing.toSorted((a, b) => a.length - b.length)[0] ?? []
}

/** `*:write` covers the writes of all nouns. */
function covers(scopes: readonly string[], scope: string): boolean {
  return scopes.includes(scope) || scopes.includes(scope.replace(/^.*:/, '*:'))
}
