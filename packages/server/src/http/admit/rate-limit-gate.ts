/** Limits how many requests each caller may make: by user, or by address if the user is unknown. */
import { problem } from '@nomen/core'
import { userKey } from '../../auth/user-key.ts'
import { andThen } from '../../foundation/maybe-promise.ts'
import { problemResponse, type TextResponse } from '../../message/text-response.ts'
import type { MetricRegistry } from '../../observe/metrics/registry.ts'
import type { BucketStore, RateLimit } from '../../store/rate-limit.ts'
import type { RateLimitStore } from '../../store/store.ts'
import type { Exchange } from '../exchange.ts'
import { countedAddress } from './counted-address.ts'
import type { Admit } from './gate.ts'
import { localLimiter, type RateLimitDecision, type RateLimiter, SharedLimiter } from './rate-limiter.ts'

/** Returns the gate unchanged without a limit. The store may share the limit between processes. */
export function rateLimitGate(
  { rateLimit, rateLimitStore }: RateSettings,
  store: RateLimitStore,
  registry: MetricRegistry,
  onFault: (message: string, error: unknown) => void,
): (admit: Admit) => Admit {
  if (!rateLimit) return (admit) => admit
  let rejectedCount = 0
  registry.addValue(
    'nomen_http_limited_requests_total',
    'Requests rejected by the rate limit.',
    'counter',
    () => rejectedCount,
  )
  const onRejection = () => {
    rejectedCount++
  }
  const limiter = limiterOf(rateLimit, store.openBuckets?.(rateLimit) ?? rateLimitStore, onFault)
  return (admit) => withRateLimit(admit, rateLimit, limiter, onRejection)
}

interface RateSettings {
  readonly rateLimit?: RateLimit
  readonly rateLimitStore?: BucketStore
}

function limiterOf(
  limit: RateLimit,
  buckets: BucketStore | undefined,
  onFault: (message: string, error: unknown) => void,
): RateLimiter {
  if (!buckets) return localLimiter(limit)
  const fault = 'The shared rate limit is unavailable. Each process applies the limit by itself.'
  const shared = new SharedLimiter(buckets, limit, (error) => onFault(fault, error))
  return (key) => shared.take(key)
}

/** Requests without a valid token count by address, so that tokens cannot be guessed without limit. */
function withRateLimit(admit: Admit, limit: RateLimit, limiter: RateLimiter, onRejection: () => void): Admit {
  const policy = `"default";q=${limit.number};w=${limit.windowMs / 1000}`
  const applyDecision = (
    exchange: Exchange,
    rejection: TextResponse | undefined,
    { isAllowed, remaining, waitMs }: RateLimitDecision,
  ) => {
    const reset = Math.ceil(((limit.number - remaining) * limit.windowMs) / limit.number / 1000)
    exchange.quota = { 'ratelimit-policy': policy, ratelimit: `"default";r=${remaining};t=${reset}` }
    if (isAllowed) return rejection
    onRejection()
    return tooManyRequests(limit, waitMs)
  }
  return (exchange, requiredScopes) =>
    andThen(admit(exchange, requiredScopes), (rejection) => {
      const user = rejection ? undefined : userKey(exchange.caller)
      const decision = limiter(
        user === undefined ? `address ${countedAddress(exchange.client.address)}` : `user ${user}`,
      )
      return andThen(decision, (resolvedDecision) => applyDecision(exchange, rejection, resolvedDecision))
    })
}

function tooManyRequests({ number, windowMs }: RateLimit, waitMs: number): TextResponse {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const detail = `The rate limit of ${number} requests in ${windowMs / 1000} s was exceeded.`
  const document = problem('too-many-requests', { detail, hint: `Try again in ${seconds} s.` })
  return problemResponse(document, { 'retry-after': `${seconds}` })
}
