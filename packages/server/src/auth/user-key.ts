/** Keys of users in tables and maps: a hash, so that the length and the characters of a name do not matter. */
import type { Caller } from '../define/caller/caller.ts'
import { sha256 } from '../foundation/sha256.ts'

/** A caller object lives as long as its token is cached, so a user is hashed once for many requests. */
const keys = new WeakMap<Caller, string>()

/** A key of 43 characters for a user of an issuer; undefined without authentication. */
export function userKey(caller: Caller): string | undefined {
  const { user, claims } = caller
  if (user === undefined) return undefined
  let key = keys.get(caller)
  if (key === undefined) {
    key = sha256(JSON.stringify([claims.iss, user]))
    keys.set(caller, key)
  }
  return key
}
