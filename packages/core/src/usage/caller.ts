/** Callers: the application that a request is attributed to. */
import type { AccessEntry } from '../wire/access-log.ts'

/**
 * How a calling application is identified: by user agent, by the origin of the referrer, by user, as the console of the service,
 * or not at all.
 */
export type CallerKind = 'agent' | 'referrer' | 'user' | 'console' | 'unattributed' | 'others'

/** A calling application (API consumer). */
export interface Caller {
  readonly kind: CallerKind
  /** Empty for the kinds `unattributed` and `others`. */
  readonly name: string
}

/** The product name that all browsers send. */
export const browser = 'Mozilla'

/** Callers with longer names are counted as `others`. */
export const maxNameBytes = 200

/**
 * The caller that collects the requests of calling applications whose names are too many or too long.
 *
 * @example
 * ```ts
 * callerOf({ userAgent: 'x'.repeat(1000), referrer: undefined, user: undefined }) === others // true
 * ```
 */
export const others: Caller = { kind: 'others', name: '' }

const unattributed: Caller = { kind: 'unattributed', name: '' }

/** The console of the service. Its requests do not keep an endpoint in use. */
export const consoleCaller: Caller = { kind: 'console', name: 'console' }

/** The end of the referrer that the console sends, so that no other page of the same site is taken for it. */
export const consoleReferrerSuffix = '?nomen-console'

/**
 * Identifies the calling application of a request: the product of the user agent; for a browser or without a user agent, the
 * console or the origin of the referrer; otherwise the user.
 *
 * @example
 * ```ts
 * callerOf({ userAgent: 'billing/2.1', referrer: undefined, user: 'ada' }) // { kind: 'agent', name: 'billing' }
 * ```
 */
export function callerOf({ userAgent, referrer, user }: Pick<AccessEntry, 'userAgent' | 'referrer' | 'user'>): Caller {
  const agent = callerByAgent(userAgent)
  if (agent) return agent
  const [origin] = /^https?:\/\/[^/?#]+/.exec(referrer ?? '') ?? []
  if (origin !== undefined)
    return referrer?.endsWith(consoleReferrerSuffix) ? consoleCaller : callerNamed('referrer', origin)
  if (productOf(userAgent) === browser) return callerNamed('agent', browser)
  return user ? callerNamed('user', user) : unattributed
}

/**
 * Identifies the calling application by its user agent alone; undefined for a browser or without a user agent.
 *
 * @example
 * ```ts
 * callerByAgent('billing/2.1') // { kind: 'agent', name: 'billing' }
 * ```
 */
export function callerByAgent(userAgent: string | undefined): Caller | undefined {
  const product = productOf(userAgent)
  return product === '' || product === browser ? undefined : callerNamed('agent', product)
}

function productOf(userAgent = ''): string {
  return /^[^/ ]*/.exec(userAgent)?.[0] ?? ''
}

function callerNamed(kind: CallerKind, text: string): Caller {
  // PostgreSQL cannot store U+0000.
  const name = text.toWellFormed().replaceAll('\0', '\ufffd')
  const isLong = name.length * 3 > maxNameBytes && new TextEncoder().encode(name).length > maxNameBytes
  return isLong ? others : { kind, name }
}
