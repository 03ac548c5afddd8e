/** Reads the callers of log lines from their bytes, and gives each a number. */
import { browser, type Caller, type CallerKind, consoleCaller, consoleReferrerSuffix, maxNameBytes } from './caller.ts'
import { isSame } from './endpoint.ts'
import { backslash, hash, hyphen, question, quote, slash, space } from './log-bytes.ts'
import { WordTable } from './word-table.ts'

const kinds: readonly CallerKind[] = ['unattributed', 'others', 'console', 'agent', 'referrer', 'user']
const [unattributed, others, byConsole, byAgent, byReferrer, byUser] = [0, 1, 2, 3, 4, 5]

export class CallerReader {
  readonly #words = new WordTable()

  /** The caller with a number. */
  caller(number: number): Caller {
    if (number === byConsole) return consoleCaller
    const kind = kinds[number % kinds.length] as CallerKind
    return { kind, name: number < kinds.length ? '' : this.#words.word(Math.floor(number / kinds.length) - 1) }
  }

  /** The caller of a line in the combined format, as `callerOf` finds it; undefined if the bytes contain escapes. */
  read(
    bytes: Uint8Array,
    user: number,
    userEnd: number,
    referrer: number,
    referrerEnd: number,
    agent: number,
    end: number,
  ): number | undefined {
    let tokenEnd = agent
    for (; tokenEnd < end; tokenEnd++) {
      const byte = bytes[tokenEnd] as number
      if (byte === backslash) return undefined
      if (byte === slash || byte === space || byte === quote) break
    }
    if (tokenEnd >= end) return undefined
    const isAbsent = tokenEnd === agent + 1 && bytes[agent] === hyphen && bytes[tokenEnd] === quote
    const hasAgent = tokenEnd > agent && !isAbsent
    const isBrowser = hasAgent && isSame(browserBytes, bytes, agent, tokenEnd)
    if (hasAgent && !isBrowser) return this.#number(byAgent, bytes, agent, tokenEnd)
    const originEnd = originEndOf(bytes, referrer, referrerEnd)
    if (originEnd === undefined) return undefined
    if (originEnd > referrer && endsWithConsoleSuffix(bytes, originEnd, referrerEnd)) return byConsole
    if (originEnd > referrer) return this.#number(byReferrer, bytes, referrer, originEnd)
    if (isBrowser) return this.#number(byAgent, bytes, agent, tokenEnd)
    return this.user(bytes, user, userEnd)
  }

  /** The caller by its user name alone; undefined if the name contains escapes. */
  user(bytes: Uint8Array, start: number, end: number): number | undefined {
    if (end <= start || (end === start + 1 && bytes[start] === hyphen)) return unattributed
    for (let position = start; position < end; position++) if (bytes[position] === backslash) return undefined
    return this.#number(byUser, bytes, start, end)
  }

  #number(kind: number, bytes: Uint8Array, start: number, end: number): number {
    if (end - start > maxNameBytes) return others
    const index = this.#words.index(bytes, start, end)
    return index === undefined ? others : (index + 1) * kinds.length + kind
  }

  /** The number of a caller that `callerOf` has found. */
  numberOf({ kind, name }: Caller): number {
    const number = kinds.indexOf(kind)
    if (name === '' || number === byConsole) return number
    const bytes = new TextEncoder().encode(name)
    return this.#number(number, bytes, 0, bytes.length)
  }
}

/** The end of an origin such as `https://example.com`; the start if there is none; undefined if it needs the slow parser. */
function originEndOf(bytes: Uint8Array, start: number, end: number): number | undefined {
  const host = hostStartOf(bytes, start, end)
  for (let position = start; position < end; position++) {
    const byte = bytes[position]
    if (byte === backslash) return undefined
    if (position < host) continue
    if (byte === slash || byte === question || byte === hash) return position > host ? position : start
  }
  return end > host ? end : start
}

const browserBytes = new TextEncoder().encode(browser)
const consoleSuffix = new TextEncoder().encode(consoleReferrerSuffix)

function endsWithConsoleSuffix(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start >= consoleSuffix.length && isSame(consoleSuffix, bytes, end - consoleSuffix.length, end)
}

const schemes = ['http://', 'https://'].map((scheme) => new TextEncoder().encode(scheme))

/** The position after `https://`; infinity if the string does not start like that. */
function hostStartOf(bytes: Uint8Array, start: number, end: number): number {
  for (const scheme of schemes) {
    const host = start + scheme.length
    if (host < end && isSame(scheme, bytes, start, host)) return host
  }
  return Number.POSITIVE_INFINITY
}
