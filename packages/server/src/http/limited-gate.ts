/** A gate that lets each caller in only so often: by user, or by address where nobody says who calls. */
import type { IncomingMessage } from 'node:http'
import { problem } from '@nomen/core'
import { type Answer, problemAnswer } from '../answer/write-answer.ts'
import type { RateLimit } from '../rate/rate-limit.ts'
import type { RateLimiter, Verdict } from '../rate/rate-limiter.ts'
import { userKey } from '../user-key.ts'
import { type Admission, type Gate, isRefused } from './gate.ts'

/** The headers that tell of a limit, by the draft of the IETF for RateLimit fields. */
export interface QuotaHeaders {
  readonly 'ratelimit-policy': string
  readonly ratelimit: string
}

/** A request leads to what its answer tells of the limit; looking that up elsewhere would take a table. */
const quota = Symbol('quota')
type Limited = IncomingMessage & { [quota]?: QuotaHeaders }

/** What the answer to a request tells of the limit; undefined where there is none. */
export function quotaOf(request: Limited): QuotaHeaders | undefined {
  return request[quota]
}

export interface LimitedGateOptions {
  readonly limit: RateLimit
  readonly limiter: RateLimiter
  readonly addressOf: (request: IncomingMessage) => string
  /** Told of every request that is refused. */
  readonly onRefusal: () => void
}

/** Whoever is refused otherwise is counted by address: a token can be guessed only so often. */
export function limitedGate(gate: Gate, { limit, limiter, addressOf, onRefusal }: LimitedGateOptions): Gate {
  const policy = `"default";q=${limit.number};w=${limit.window / 1000}`
  const judge = (request: Limited, admission: Admission, { isAllowed, left, wait }: Verdict): Admission => {
    const reset = Math.ceil(((limit.number - left) * limit.window) / limit.number / 1000)
    request[quota] = { 'ratelimit-policy': policy, ratelimit: `"default";r=${left};t=${reset}` }
    if (isAllowed) return admission
    onRefusal()
    return tooMany(limit, wait)
  }
  const enter = (request: Limited, admission: Admission): Admission | Promise<Admission> => {
    const user = isRefused(admission) ? undefined : userKey(admission)
    const verdict = limiter(user === undefined ? `address ${addressOf(request)}` : `user ${user}`)
    if (!(verdict instanceof Promise)) return judge(request, admission, verdict)
    return verdict.then((done) => judge(request, admission, done))
  }
  return (request, scope) => {
    const admission = gate(request, scope)
    return admission instanceof Promise ? admission.then((done) => enter(request, done)) : enter(request, admission)
  }
}

function tooMany({ number, window }: RateLimit, wait: number): Answer {
  const seconds = Math.max(1, Math.ceil(wait / 1000))
  const detail = `More than ${number} requests came within ${window / 1000} s.`
  const document = problem('too-many-requests', { detail, hint: `Try again in ${seconds} s, and ask less often.` })
  return problemAnswer(document, { 'retry-after': `${seconds}` })
}
