/** Authentication: finds the caller of a request by its bearer token. Verified tokens are cached. */
import type { Value } from '@nomen/core'
import type { Caller } from '../define/caller/caller.ts'
import { andThen, type MaybePromise } from '../foundation/maybe-promise.ts'
import { TtlCache } from '../foundation/ttl-cache.ts'
import type { RequestHead } from '../message/request-head.ts'
import { problemResponse, type TextResponse } from '../message/text-response.ts'
import type { CallerRecords } from './caller-records.ts'
import { IssuerUnavailable, type KeySet } from './key-set.ts'
import { type Challenger, InvalidToken, issuerUnavailableProblem } from './token-problem.ts'
import type { VerifiedToken, Verify } from './verify-token.ts'

export interface AuthenticatorDependencies {
  readonly issuer: string
  readonly verify: Verify
  readonly keys: KeySet
  readonly challenge: Challenger
  /** Undefined if callers are not records. */
  readonly records: CallerRecords | undefined
}

/** Returns the caller, or the response to a request without a valid token. */
export type Authenticate = (request: RequestHead) => Caller | TextResponse | Promise<Caller | TextResponse>

/** The minimum number of cached tokens, and the longest time that a token stays cached. */
const maxTokens = 2000
const lifetimeMs = 5 * 60_000

interface CachedToken {
  readonly verified: VerifiedToken
  /** The caller of the last request with this token. */
  caller: Caller | undefined
}

export function authenticator({ issuer, verify, keys, challenge, records }: AuthenticatorDependencies): Authenticate {
  const cache = new TtlCache<CachedToken>(maxTokens, lifetimeMs)
  let { generation } = keys

  const findCaller = (cached: CachedToken): MaybePromise<Caller> =>
    andThen(records ? records.find(cached.verified.user, cached.verified.claims) : null, (record) =>
      callerOf(cached, record),
    )

  const verifyAndCache = async (header: string, token: string): Promise<Caller | TextResponse> => {
    try {
      const generationBefore = keys.generation
      const cached: CachedToken = { verified: await verify(token), caller: undefined }
      // If the keys have changed meanwhile, the token may have been verified with the old ones.
      if (keys.generation === generationBefore) cache.set(header, cached, Date.now(), cached.verified.expiresAt)
      return await findCaller(cached)
    } catch (error) {
      if (error instanceof InvalidToken) return challenge.invalidToken(error)
      if (error instanceof IssuerUnavailable)
        return problemResponse(issuerUnavailableProblem(issuer).problem, { 'retry-after': '1' })
      throw error
    }
  }

  return (request) => {
    const { authorization } = request.headers
    if (authorization === undefined) return challenge.tokenMissing(...missingTokenTexts(request))
    if (hasTwoAuthorizations(request)) return challenge.duplicateHeader()
    // Tokens that were verified with old keys must be verified again.
    if (generation !== keys.generation) cache.clear()
    generation = keys.generation
    const cached = cache.get(authorization)
    if (cached) return findCaller(cached)
    const [, token] = /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization) ?? []
    if (token === undefined) return challenge.tokenMissing('The Authorization header has no Bearer token.', tokenHint)
    return verifyAndCache(authorization, token)
  }
}

const tokenHint = 'Send an access token in the Authorization header: Bearer, a space, and the token.'

function missingTokenTexts({ url }: RequestHead): [detail: string, hint: string] {
  if (!/[?&]access_token=/.test(url)) return ['The request has no token.', tokenHint]
  return ['Tokens in the URL are not accepted, because URLs are logged.', tokenHint]
}

/** Node uses the first of several Authorization headers, and a proxy may have checked another one. */
function hasTwoAuthorizations({ rawHeaders }: RequestHead): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 13 && name.toLowerCase() === 'authorization') count++
  }
  return count > 1
}

function callerOf(cached: CachedToken, record: Value): Caller {
  const { user, scopes, claims } = cached.verified
  if (cached.caller?.record !== record) cached.caller = { user, record, scopes, claims }
  return cached.caller as Caller
}
