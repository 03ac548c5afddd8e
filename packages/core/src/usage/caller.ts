/** Callers: which application a request is counted for. */
import type { AccessEntry } from '../wire/access-log.ts'

/** How an application is known: by its user agent, by where its pages are, by its user; or not at all. */
export type CallerKind = 'agent' | 'referrer' | 'user' | 'unattributed' | 'others'

export interface Caller {
  readonly kind: CallerKind
  /** Empty for those that cannot be told apart. */
  readonly name: string
}

/** Browsers call themselves this, whoever has written the page in them. */
export const browser = 'Mozilla'

/** A name of more bytes is none that anybody gave to an application. */
export const longestName = 200

/** All whose names are too many, or too long, to be kept. */
export const others: Caller = { kind: 'others', name: '' }

const unattributed: Caller = { kind: 'unattributed', name: '' }

/** The product of the user agent; for a browser, or without one, the origin of the referrer; else the user. */
export function callerOf({ userAgent, referrer, user }: Pick<AccessEntry, 'userAgent' | 'referrer' | 'user'>): Caller {
  const agent = callerByAgent(userAgent)
  if (agent) return agent
  const [origin] = /^https?:\/\/[^/?#]+/.exec(referrer ?? '') ?? []
  if (origin !== undefined) return named('referrer', origin)
  if (productOf(userAgent) === browser) return named('agent', browser)
  return user ? named('user', user) : unattributed
}

/** The caller that the user agent names by itself, whatever else the request says; undefined where it does not. */
export function callerByAgent(userAgent: string | undefined): Caller | undefined {
  const product = productOf(userAgent)
  return product === '' || product === browser ? undefined : named('agent', product)
}

function productOf(userAgent = ''): string {
  return /^[^/ ]*/.exec(userAgent)?.[0] ?? ''
}

function named(kind: CallerKind, given: string): Caller {
  // No database keeps U+0000 in a text.
  const name = given.toWellFormed().replaceAll('\0', '\ufffd')
  const isLong = name.length * 3 > longestName && new TextEncoder().encode(name).length > longestName
  return isLong ? others : { kind, name }
}
