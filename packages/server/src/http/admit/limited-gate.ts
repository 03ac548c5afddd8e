/** Limits how many requests each caller may make: by user, or by address if the user is unknown. */
import { problem } from '@nomen/core'
import { userKey } from '../../auth/user-key.ts'
import { andThen } from '../../foundation/maybe-promise.ts'
import { problemResponse, type TextResponse } from '../../message/text-response.ts'
import type { RateLimit } from '../../store/rate-limit.ts'
import type { Exchange } from '../exchange.ts'
import type { Admit } from './gate.ts'
import type { RateLimiter, Verdict } from './rate-limiter.ts'

export interface LimitedGateOptions {
  readonly limit: RateLimit
  readonly limiter: RateLimiter
  readonly addressOf: (exchange: Exchange) => string
  /** Called for every request that is refused. */
  readonly onRefusal: () => void
}

/** Requests without a valid token count by address, so that tokens cannot be guessed without limit. */
export function withRateLimit(admit: Admit, { limit, limiter, addressOf, onRefusal }: LimitedGateOptions): Admit {
  const policy = `"default";q=${limit.number};w=${limit.windowMs / 1000}`
  const judge = (exchange: Exchange, refused: TextResponse | undefined, { isAllowed, left, wait }: Verdict) => {
    const reset = Math.ceil(((limit.number - left) * limit.windowMs) / limit.number / 1000)
    exchange.quota = { 'ratelimit-policy': policy, ratelimit: `"default";r=${left};t=${reset}` }
    if (isAllowed) return refused
    onRefusal()
    return tooMany(limit, wait)
  }
  return (exchange, scope) =>
    andThen(admit(exchange, scope), (refused) => {
      const user = refused ? undefined : userKey(exchange.caller)
      const verdict = limiter(user === undefined ? `address ${addressOf(exchange)}` : `user ${user}`)
      return andThen(verdict, (done) => judge(exchange, refused, done))
    })
}

function tooMany({ number, windowMs }: RateLimit, wait: number): TextResponse {
  const seconds = Math.max(1, Math.ceil(wait / 1000))
  const detail = `The rate limit of ${number} requests in ${windowMs / 1000} s was exceeded.`
  const document = problem('too-many-requests', { detail, hint: `Try again in ${seconds} s.` })
  return problemResponse(document, { 'retry-after': `${seconds}` })
}
