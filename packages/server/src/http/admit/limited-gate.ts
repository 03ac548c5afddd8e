/** Limits how many requests each caller may make: by user, or by address if the user is unknown. */
import { problem } from '@nomen/core'
import { userKey } from '../../auth/user-key.ts'
import { andThen } from '../../foundation/maybe-promise.ts'
import { type Answer, problemAnswer } from '../../message/answer.ts'
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
  const policy = `"default";q=${limit.number};w=${limit.window / 1000}`
  const judge = (exchange: Exchange, refused: Answer | undefined, { isAllowed, left, wait }: Verdict) => {
    const reset = Math.ceil(((limit.number - left) * limit.window) / limit.number / 1000)
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

function tooMany({ number, window }: RateLimit, wait: number): Answer {
  const seconds = Math.max(1, Math.ceil(wait / 1000))
  const detail = `More than ${number} requests came within ${window / 1000} s.`
  const document = problem('too-many-requests', { detail, hint: `Try again in ${seconds} s, and ask less often.` })
  return problemAnswer(document, { 'retry-after': `${seconds}` })
}
