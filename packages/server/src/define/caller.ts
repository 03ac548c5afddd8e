/** Who sends a request, as far as the service was shown. */
import type { Value } from '@nomen/core'

export interface Caller {
  /**
   * The user on whose behalf the request is made: the value of the claim that identifies one, `sub` unless the settings name
   * another. Undefined without authentication. A name to show is among the claims: `claims.preferred_username`.
   */
  readonly user: string | undefined
  /** The identity of that user's own record, where there is one. */
  readonly record: Value
  /** What the caller may do: `user:read`, `*:write`. */
  readonly scopes: readonly string[]
  /** Everything that the token says. */
  readonly claims: { readonly [name: string]: unknown }
}

/** Whoever calls a service that asks nobody. */
export const anyone: Caller = { user: undefined, record: null, scopes: ['*:read', '*:write'], claims: {} }

/** Whoever asks for what is public, where all else takes a token. */
export const nobody: Caller = { user: undefined, record: null, scopes: [], claims: {} }
