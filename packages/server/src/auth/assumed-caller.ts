/** A caller that code of this process names, in place of a token. */
import type { Value } from '@nomen/core'
import { anyone, type Caller } from '../define/caller.ts'
import { andThen, type MaybePromise } from '../foundation/maybe-promise.ts'

/** Finds the record of a user, if the service says which records callers are. */
export type FindRecord = (user: string) => MaybePromise<Value>

/**
 * Gives the caller for each request: its own record may change meanwhile. Without scopes it has those of every noun.
 */
export function assumedCaller(named: Partial<Caller>, findRecord: FindRecord | undefined): () => MaybePromise<Caller> {
  const { user, scopes = anyone.scopes, claims = {} } = named
  let caller: Caller = { user, record: named.record ?? null, scopes, claims }
  if (named.record !== undefined || user === undefined || !findRecord) return () => caller
  return () =>
    andThen(findRecord(user), (record) => {
      if (caller.record !== record) caller = { ...caller, record }
      return caller
    })
}
