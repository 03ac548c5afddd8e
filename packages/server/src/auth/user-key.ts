/** What a user is called in tables and maps: a hash, so that neither the length nor the characters of a name matter there. */
import { createHash } from 'node:crypto'
import type { Caller } from '../define/caller.ts'

/** A caller lives as long as its token is remembered: a user is hashed once for many requests. */
const known = new WeakMap<Caller, string>()

/** 43 characters for a user of an issuer; undefined without authentication. */
export function userKey(caller: Caller): string | undefined {
  const { user, claims } = caller
  if (user === undefined) return undefined
  let key = known.get(caller)
  if (key === undefined) {
    key = hashed(JSON.stringify([claims.iss, user]))
    known.set(caller, key)
  }
  return key
}

/** SHA-256 as 43 characters. */
export function hashed(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('base64url')
}
