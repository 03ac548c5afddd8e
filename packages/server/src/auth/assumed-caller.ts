/** A caller set by code in this process instead of by a token. */
import type { Value } from '@nomen/core'
import { type Caller, unrestrictedCaller } from '../define/caller/caller.ts'
import { andThen, type MaybePromise } from '../foundation/maybe-promise.ts'
import { maxUserLength } from './user-length.ts'

/** Finds the record of a user, if the service declares `callers`. */
export type FindRecord = (user: string, claims: Caller['claims']) => MaybePromise<Value>

/**
 * Returns a function that looks up the caller's record on every request, because the record may change. By default the
 * caller has all scopes.
 *
 * @throws RangeError if the name of the user is too long for the history
 */
export function assumedCaller(
  partialCaller: Partial<Caller>,
  findRecord: FindRecord | undefined,
): () => MaybePromise<Caller> {
  const { user, scopes = unrestrictedCaller.scopes, claims = {} } = partialCaller
  if (user !== undefined && user.length > maxUserLength)
    throw new RangeError(`The user has ${user.length} characters; the limit is ${maxUserLength}.`)
  let caller: Caller = { user, record: partialCaller.record ?? null, scopes, claims }
  if (partialCaller.record !== undefined || user === undefined || !findRecord) return () => caller
  return () =>
    andThen(findRecord(user, claims), (record) => {
      if (caller.record !== record) caller = { ...caller, record }
      return caller
    })
}
