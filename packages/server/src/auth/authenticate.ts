/** Who sends a request: the caller that its token names. A token that is known costs no wait. */
import type { Value } from '@nomen/core'
import type { Caller } from '../define/caller.ts'
import { andThen, type MaybePromise } from '../foundation/maybe-promise.ts'
import { TtlCache } from '../foundation/ttl-cache.ts'
import { type Answer, problemAnswer } from '../message/answer.ts'
import type { RequestHead } from '../message/request-head.ts'
import type { CallerRecords } from './caller-records.ts'
import { IssuerAway, type KeySet } from './key-set.ts'
import { type Challenger, issuerAway, TokenRefused } from './token-problem.ts'
import type { Verified, Verify } from './verify-token.ts'

export interface AuthenticatorParts {
  readonly issuer: string
  readonly verify: Verify
  readonly keys: KeySet
  readonly challenge: Challenger
  /** Absent where callers are no records. */
  readonly records: CallerRecords | undefined
}

/** Gives the caller, or the answer to whoever is none. */
export type Authenticate = (request: RequestHead) => Caller | Answer | Promise<Caller | Answer>

/** How many tokens stay cached at least, and for how long at most. */
const maxTokens = 2000
const lifetimeMs = 5 * 60_000

interface Known {
  readonly verified: Verified
  /** As it was made for the last request with this token. */
  caller: Caller | undefined
}

export function authenticator({ issuer, verify, keys, challenge, records }: AuthenticatorParts): Authenticate {
  const cache = new TtlCache<Known>(maxTokens, lifetimeMs)
  let { generation } = keys

  const enter = (known: Known): MaybePromise<Caller> =>
    andThen(records ? records.find(known.verified.user) : null, (record) => callerOf(known, record))

  const verified = async (header: string, token: string): Promise<Caller | Answer> => {
    try {
      const before = keys.generation
      const one: Known = { verified: await verify(token), caller: undefined }
      // Where the keys have changed meanwhile, it may have been verified by those of before.
      if (keys.generation === before) cache.set(header, one, Date.now(), one.verified.until)
      return await enter(one)
    } catch (error) {
      if (error instanceof TokenRefused) return challenge.refused(error)
      if (error instanceof IssuerAway) return problemAnswer(issuerAway(issuer).problem, { 'retry-after': '1' })
      throw error
    }
  }

  return (request) => {
    const { authorization } = request.headers
    if (authorization === undefined) return challenge.missing(...missingIn(request))
    if (isDoubled(request)) return challenge.doubled()
    // Tokens that were signed with keys of before may not be good any more.
    if (generation !== keys.generation) cache.clear()
    generation = keys.generation
    const one = cache.get(authorization)
    if (one) return enter(one)
    const [, token] = /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization) ?? []
    if (token === undefined) return challenge.missing('The Authorization header holds no Bearer token.', howTo)
    return verified(authorization, token)
  }
}

const howTo = 'Send the header Authorization: Bearer, with an access token.'

function missingIn({ url }: RequestHead): [detail: string, hint: string] {
  if (!/[?&]access_token=/.test(url)) return ['The request has no token.', howTo]
  return ['A token in the address is not read: addresses are written to logs.', howTo]
}

/** Node gives the first of several, and whatever stands before the service may have looked at another. */
function isDoubled({ rawHeaders }: RequestHead): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 13 && name.toLowerCase() === 'authorization') count++
  }
  return count > 1
}

function callerOf(one: Known, record: Value): Caller {
  const { user, scopes, claims } = one.verified
  if (one.caller?.record !== record) one.caller = { user, record, scopes, claims }
  return one.caller as Caller
}
