/** The caller of a request: user, scopes and claims. */
import { isCovered, type Value } from '@nomen/core'

/** The caller (principal) of a request: who the user is, and what the token allows. */
export interface Caller {
  /**
   * The user, from the token claim that `auth.userClaim` names (`sub` by default). Undefined without authentication. A display
   * name is usually in `claims.preferred_username`.
   */
  readonly user: string | undefined
  /** The identity of the user's own record, as `callerNoun` declares it; null if there is none. */
  readonly record: Value
  /** The scopes of the token, such as `user:read` or `*:write`. */
  readonly scopes: readonly string[]
  /** All claims of the token. */
  readonly claims: { readonly [name: string]: unknown }
}

/** The caller of every request to a service without authentication. */
export const unrestrictedCaller: Caller = { user: undefined, record: null, scopes: ['*:read', '*:write'], claims: {} }

/** The caller of a request to a public page, which needs no token. */
export const callerWithoutScopes: Caller = { user: undefined, record: null, scopes: [], claims: {} }

/** Whether a caller has the scopes of an operation. A service without authentication requires none. */
export function hasScope(caller: Caller, scope: string): boolean {
  return caller === unrestrictedCaller || isCovered(scope, caller.scopes)
}
