/** Reads the lines of access logs, a million of them a second: straight from their bytes where they are as usual. */
import { monthNames, parseCommonLine, parseLine } from '../wire/access-log.ts'
import {
  browser,
  type Caller,
  type CallerKind,
  callerOf,
  consoleCaller,
  consoleReferrerSuffix,
  maxNameBytes,
} from './caller.ts'
import { type Endpoint, EndpointTree, isSame, unsure } from './endpoint.ts'
import { type Span, Tally } from './tally.ts'
import { WordTable } from './word-table.ts'

const newline = 0x0a
const space = 0x20
const quote = 0x22
const hash = 0x23
const hyphen = 0x2d
const slash = 0x2f
const zero = 0x30
const colon = 0x3a
const question = 0x3f
const bracket = 0x5b
const backslash = 0x5c

const kinds: readonly CallerKind[] = ['unattributed', 'others', 'console', 'agent', 'referrer', 'user']
const [unattributed, others, byConsole, byAgent, byReferrer, byUser] = [0, 1, 2, 3, 4, 5]

/**
 * Counts the requests of an access log (combined or common log format) by endpoint and calling application, from bytes and
 * in memory that does not grow with the log.
 *
 * @example
 * ```ts
 * const endpoints = operations(directory).map(endpointOf)
 * const reader = new LineReader(endpoints)
 * reader.read(new TextEncoder().encode('::1 - - [15/Nov/2026:03:29:00 +0000] "GET /user HTTP/1.1" 200 5 "-" "curl/8"\n'))
 * reader.end()
 * usageReport(endpoints, reader, 30).requests // 1
 * ```
 */
export class LineReader {
  readonly tally: Tally
  readonly #tree: EndpointTree
  readonly #words = new WordTable()
  readonly #methods = new WordTable()
  readonly #request = { endpoint: 0, caller: 0, time: 0, status: 0, size: 0 }
  /** The stamp whose day was read last, and when that day began. */
  #day = new Uint8Array(26)
  #midnight = 0
  #incomplete = new Uint8Array(0)

  /** Counts requests within the span, and not those for `pages`, the pages of the service itself. */
  constructor(endpoints: readonly Endpoint[], span?: Span, pages: readonly string[] = []) {
    this.#tree = new EndpointTree(endpoints, pages)
    this.tally = new Tally(endpoints.length, span)
  }

  /** Reads the next bytes; a line may continue in later bytes. */
  read(chunk: Uint8Array): void {
    // Not as a Buffer, whose methods do more than is needed here.
    const plain = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length)
    const bytes = this.#incomplete.length === 0 ? plain : joined(this.#incomplete, plain)
    let start = 0
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      if (end > start) this.#line(bytes, start, end)
      start = end + 1
    }
    // The caller may reuse the bytes.
    this.#incomplete = bytes.slice(start)
  }

  /** There are no more bytes. */
  end(): void {
    if (this.#incomplete.length > 0) this.#line(this.#incomplete, 0, this.#incomplete.length)
    this.#incomplete = new Uint8Array(0)
    this.tally.settle()
  }

  /** Who the number of a caller stands for. */
  caller(number: number): Caller {
    if (number === byConsole) return consoleCaller
    const kind = kinds[number % kinds.length] as CallerKind
    return { kind, name: number < kinds.length ? '' : this.#words.word(Math.floor(number / kinds.length) - 1) }
  }

  #line(bytes: Uint8Array, start: number, end: number): void {
    if (this.#usual(bytes, start, end)) this.tally.add(this.#request)
    else this.#unusual(bytes, start, end)
  }

  /** Reads a line that holds nothing out of the ordinary into the request; false where it does. */
  #usual(bytes: Uint8Array, start: number, end: number): boolean {
    const request = this.#request
    const ident = after(bytes, space, start, end)
    const user = after(bytes, space, ident, end)
    let at = after(bytes, space, user, end) - 1
    const userEnd = at
    // [15/11/2026:03:29:00 +0000] " or [15/Nov/2026:03:29:00 +0000] "
    const extra = bytes[at + 29] === quote ? 0 : 1
    const method = at + 30 + extra
    if (method > end || bytes[at + 1] !== bracket || bytes[method - 1] !== quote) return false
    if (!this.#readTime(bytes, at + 2, extra)) return false
    const methodEnd = after(bytes, space, method, end) - 1
    const target = methodEnd + 1
    let pathEnd = -1
    let position = target
    for (; position < end; position++) {
      const byte = bytes[position]
      if (byte === space) break
      if (byte === backslash || byte === quote) return false
      if ((byte === question || byte === hash) && pathEnd === -1) pathEnd = position
    }
    if (position >= end) return false
    const name = this.#methodAt(bytes, method, methodEnd)
    request.endpoint = this.#tree.find(name, bytes, target, pathEnd === -1 ? position : pathEnd)
    if (request.endpoint === unsure) return false
    at = after(bytes, quote, position, end) - 1
    // " 200 512 "
    if (at + 5 >= end || bytes[at + 1] !== space || bytes[at + 5] !== space) return false
    request.status = digits(bytes, at + 2, at + 5)
    const sizeStart = at + 6
    const sizeEnd = after(bytes, space, sizeStart, end) - 1
    const hasNoSize = sizeEnd === sizeStart + 1 && bytes[sizeStart] === hyphen
    request.size = hasNoSize ? 0 : digits(bytes, sizeStart, sizeEnd)
    if (!(request.size >= 0) || !(request.status >= 100) || sizeEnd === sizeStart) return false
    if (sizeEnd === end) return this.#readCommonCaller(bytes, user, userEnd)
    if (bytes[sizeEnd + 1] !== quote) return false
    const referrer = sizeEnd + 2
    const referrerEnd = after(bytes, quote, referrer, end) - 1
    const agent = referrerEnd + 3
    if (agent >= end || bytes[agent - 1] !== quote || bytes[agent - 2] !== space) return false
    const caller = this.#callerOf(bytes, user, userEnd, referrer, referrerEnd, agent, end)
    if (caller === undefined) return false
    request.caller = caller
    return true
  }

  /** A line in the common format ends with the size, so that only the user is known. */
  #readCommonCaller(bytes: Uint8Array, user: number, userEnd: number): boolean {
    const caller = this.#userAt(bytes, user, userEnd)
    if (caller === undefined) return false
    this.#request.caller = caller
    return true
  }

  /**
   * Reads `15/11/2026:03:29:00 +0000`, or with 1 extra byte `15/Nov/2026:03:29:00 +0000`. The day and the offset are mostly
   * those of the line before.
   */
  #readTime(bytes: Uint8Array, start: number, extra: number): boolean {
    if (!this.#isKnownDay(bytes, start, extra) && !this.#readDay(bytes, start, extra)) return false
    const clock = start + 11 + extra
    if (bytes[clock + 2] !== colon || bytes[clock + 5] !== colon) return false
    const hours = two(bytes, clock)
    const minutes = two(bytes, clock + 3)
    const seconds = two(bytes, clock + 6)
    const time = this.#midnight + ((hours * 60 + minutes) * 60 + seconds) * 1000
    if (!(time >= 0) || hours > 23 || minutes > 59 || seconds > 59) return false
    this.#request.time = time
    return true
  }

  #isKnownDay(bytes: Uint8Array, start: number, extra: number): boolean {
    const known = this.#day
    for (let index = 0; index < 11 + extra; index++) if (known[index] !== bytes[start + index]) return false
    for (let index = 20 + extra; index < 25 + extra; index++) if (known[index] !== bytes[start + index]) return false
    return true
  }

  /** Stores when the day began, in the time zone of the line. */
  #readDay(bytes: Uint8Array, start: number, extra: number): boolean {
    const year = start + 6 + extra
    const zone = year + 14
    const sign = bytes[zone] === 0x2b ? 1 : bytes[zone] === hyphen ? -1 : Number.NaN
    if (bytes[start + 2] !== slash || bytes[year - 1] !== slash || bytes[year + 4] !== colon) return false
    const month = extra === 0 ? two(bytes, start + 3) - 1 : monthAt(bytes, start + 3)
    const midnight = Date.UTC(digits(bytes, year, year + 4), month, two(bytes, start))
    const offset = (two(bytes, zone + 1) * 60 + two(bytes, zone + 3)) * 60_000
    // A day that the month does not have would become a day of the next month.
    const date = new Date(midnight)
    if (Number.isNaN(sign * offset) || date.getUTCDate() !== two(bytes, start)) return false
    if (date.getUTCMonth() !== month) return false
    this.#day = bytes.slice(start, start + 25 + extra)
    this.#midnight = midnight - sign * offset
    return true
  }

  #methodAt(bytes: Uint8Array, start: number, end: number): string {
    const index = this.#methods.index(bytes, start, end)
    const method = index === undefined ? '' : this.#methods.word(index)
    return method === 'HEAD' ? 'GET' : method
  }

  /** As `callerOf`, from the bytes; undefined where they hold escapes. */
  #callerOf(
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
    const isNamed = tokenEnd > agent && !isAbsent
    const isBrowser =
      isNamed && tokenEnd - agent === browser.length && bytes[agent] === 0x4d && this.#isBrowser(bytes, agent, tokenEnd)
    if (isNamed && !isBrowser) return this.#number(byAgent, bytes, agent, tokenEnd)
    const originEnd = originEndOf(bytes, referrer, referrerEnd)
    if (originEnd === undefined) return undefined
    if (originEnd > referrer && endsWithMark(bytes, originEnd, referrerEnd)) return byConsole
    if (originEnd > referrer) return this.#number(byReferrer, bytes, referrer, originEnd)
    if (isBrowser) return this.#number(byAgent, bytes, agent, tokenEnd)
    return this.#userAt(bytes, user, userEnd)
  }

  /** The caller by its user name; undefined if that holds escapes. */
  #userAt(bytes: Uint8Array, start: number, end: number): number | undefined {
    if (end <= start || (end === start + 1 && bytes[start] === hyphen)) return unattributed
    for (let position = start; position < end; position++) if (bytes[position] === backslash) return undefined
    return this.#number(byUser, bytes, start, end)
  }

  #isBrowser(bytes: Uint8Array, start: number, end: number): boolean {
    const index = this.#words.index(bytes, start, end)
    return index !== undefined && this.#words.word(index) === browser
  }

  #number(kind: number, bytes: Uint8Array, start: number, end: number): number {
    if (end - start > maxNameBytes) return others
    const index = this.#words.index(bytes, start, end)
    return index === undefined ? others : (index + 1) * kinds.length + kind
  }

  /** Reads lines with escapes, encoded paths and other unusual content, which takes longer. */
  #unusual(bytes: Uint8Array, start: number, end: number): void {
    const line = new TextDecoder().decode(bytes.subarray(start, end))
    const entry = parseLine(line) ?? parseCommonLine(line)
    if (!entry) {
      this.tally.unreadable++
      return
    }
    const { time, status, size } = entry
    const { kind, name } = callerOf(entry)
    const bytesOfName = new TextEncoder().encode(name)
    const number = kinds.indexOf(kind)
    const caller =
      name === '' || number === byConsole ? number : this.#number(number, bytesOfName, 0, bytesOfName.length)
    const endpoint = this.#tree.at(entry.method, entry.target)
    this.tally.add({ endpoint, caller, time, status, size })
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

const mark = new TextEncoder().encode(consoleReferrerSuffix)

function endsWithMark(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start >= mark.length && isSame(mark, bytes, end - mark.length, end)
}

const schemes = ['http://', 'https://'].map((scheme) => new TextEncoder().encode(scheme))

/** Behind `https://`; nowhere that can be reached in what does not begin so. */
function hostStartOf(bytes: Uint8Array, start: number, end: number): number {
  for (const scheme of schemes) {
    const host = start + scheme.length
    if (host < end && isSame(scheme, bytes, start, host)) return host
  }
  return Number.POSITIVE_INFINITY
}

/** The position after the next such byte; after the end if there is none. */
function after(bytes: Uint8Array, byte: number, start: number, end: number): number {
  let position = start
  while (position < end && bytes[position] !== byte) position++
  return position + 1
}

/** The number of a month by its name, from 0; -1 if there is no such month. */
function monthAt(bytes: Uint8Array, start: number): number {
  return monthNames.indexOf(String.fromCharCode(...bytes.subarray(start, start + 3)))
}

/** A number of two digits. */
function two(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) - zero
  const ones = (bytes[at + 1] as number) - zero
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

function digits(bytes: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let position = start; position < end; position++) {
    const digit = (bytes[position] as number) - zero
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}
