/** Reads the lines of access logs, a million per second: directly from their bytes if they contain nothing unusual. */
import { parseCommonLine, parseLine } from '../wire/access-log.ts'
import { concatBytes } from '../wire/concat-bytes.ts'
import { type Caller, callerOf } from './caller.ts'
import { CallerReader } from './caller-reader.ts'
import { type Endpoint, EndpointTree, needsDecoding } from './endpoint.ts'
import {
  backslash,
  bracket,
  hash,
  hyphen,
  newline,
  positionAfter,
  question,
  quote,
  readDigits,
  space,
} from './log-bytes.ts'
import { type Span, Tally } from './tally.ts'
import { TimeReader } from './time-reader.ts'
import { WordTable } from './word-table.ts'

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
  readonly #methods = new WordTable()
  readonly #times = new TimeReader()
  readonly #callers = new CallerReader()
  readonly #request = { endpoint: 0, caller: 0, time: 0, status: 0, size: 0 }
  #incomplete = new Uint8Array(0)

  /** Counts requests within the span, and not those for `pages`, the pages of the service itself. */
  constructor(endpoints: readonly Endpoint[], span?: Span, pages: readonly string[] = []) {
    this.#tree = new EndpointTree(endpoints, pages)
    this.tally = new Tally(endpoints.length, span)
  }

  /** Reads the next bytes. The last line may continue in the next call. */
  read(chunk: Uint8Array): void {
    // A plain Uint8Array, because the methods of a Buffer do more than is needed here.
    const plain = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length)
    const bytes = this.#incomplete.length === 0 ? plain : concatBytes(this.#incomplete, plain)
    let start = 0
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      if (end > start) this.#line(bytes, start, end)
      start = end + 1
    }
    // The caller may reuse the bytes.
    this.#incomplete = bytes.slice(start)
  }

  /** Counts the last line if it has no line feed. Call it after the last bytes. */
  end(): void {
    if (this.#incomplete.length > 0) this.#line(this.#incomplete, 0, this.#incomplete.length)
    this.#incomplete = new Uint8Array(0)
    this.tally.settle()
  }

  /** The caller with a number of the tally. */
  caller(number: number): Caller {
    return this.#callers.caller(number)
  }

  #line(bytes: Uint8Array, start: number, end: number): void {
    if (this.#readBytes(bytes, start, end)) this.tally.add(this.#request)
    else this.#readText(bytes, start, end)
  }

  /** Reads a line into the request; false if the line contains anything unusual. */
  #readBytes(bytes: Uint8Array, start: number, end: number): boolean {
    const request = this.#request
    const ident = positionAfter(bytes, space, start, end)
    const user = positionAfter(bytes, space, ident, end)
    let cursor = positionAfter(bytes, space, user, end) - 1
    const userEnd = cursor
    // [15/11/2026:03:29:00 +0000] " or [15/Nov/2026:03:29:00 +0000] "
    const extraBytes = bytes[cursor + 29] === quote ? 0 : 1
    const method = cursor + 30 + extraBytes
    if (method > end || bytes[cursor + 1] !== bracket || bytes[method - 1] !== quote) return false
    request.time = this.#times.read(bytes, cursor + 2, extraBytes)
    if (Number.isNaN(request.time)) return false
    const methodEnd = positionAfter(bytes, space, method, end) - 1
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
    if (request.endpoint === needsDecoding) return false
    cursor = positionAfter(bytes, quote, position, end) - 1
    // " 200 512 "
    if (cursor + 5 >= end || bytes[cursor + 1] !== space || bytes[cursor + 5] !== space) return false
    request.status = readDigits(bytes, cursor + 2, cursor + 5)
    const sizeStart = cursor + 6
    const sizeEnd = positionAfter(bytes, space, sizeStart, end) - 1
    const hasNoSize = sizeEnd === sizeStart + 1 && bytes[sizeStart] === hyphen
    request.size = hasNoSize ? 0 : readDigits(bytes, sizeStart, sizeEnd)
    if (!(request.size >= 0) || !(request.status >= 100) || sizeEnd === sizeStart) return false
    // A line in the common format ends with the size, so that only the user is known.
    if (sizeEnd === end) return this.#setCaller(this.#callers.user(bytes, user, userEnd))
    if (bytes[sizeEnd + 1] !== quote) return false
    const referrer = sizeEnd + 2
    const referrerEnd = positionAfter(bytes, quote, referrer, end) - 1
    const agent = referrerEnd + 3
    if (agent >= end || bytes[agent - 1] !== quote || bytes[agent - 2] !== space) return false
    return this.#setCaller(this.#callers.read(bytes, user, userEnd, referrer, referrerEnd, agent, end))
  }

  #setCaller(caller: number | undefined): boolean {
    if (caller === undefined) return false
    this.#request.caller = caller
    return true
  }

  #methodAt(bytes: Uint8Array, start: number, end: number): string {
    const index = this.#methods.index(bytes, start, end)
    const method = index === undefined ? '' : this.#methods.word(index)
    return method === 'HEAD' ? 'GET' : method
  }

  /** Reads lines with escapes, encoded paths and other unusual content, which takes longer. */
  #readText(bytes: Uint8Array, start: number, end: number): void {
    const line = new TextDecoder().decode(bytes.subarray(start, end))
    const entry = parseLine(line) ?? parseCommonLine(line)
    if (!entry) {
      this.tally.unreadable++
      return
    }
    const { time, status, size } = entry
    const caller = this.#callers.numberOf(callerOf(entry))
    const endpoint = this.#tree.at(entry.method, entry.target)
    this.tally.add({ endpoint, caller, time, status, size })
  }
}
