/** Checks for the access log: one line per request, in time, in the combined format. */
import { readFileSync, statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { parseLine } from '@nomen/core'
import type { Code } from '../catalog.ts'
import { expect, Skip } from '../finding.ts'
import { type LogFault, logFault } from '../fuzz/log-fault.ts'
import type { Exchange } from '../fuzz/raw-connection.ts'
import { shellLine } from '../fuzz/wire-request.ts'
import { type SentRequest, userAgent } from '../request/sender.ts'

/** Maximum delay of a line, in milliseconds. */
const lineTimeoutMs = 1000
/** Maximum delay under full load, in milliseconds. */
const fuzzLogTimeoutMs = 5000

/** The malformed requests, and their base URL. */
interface FuzzedRequests {
  readonly base: string
  readonly exchanges: readonly Exchange[]
}

export class AccessLogCheck {
  readonly #path: string
  readonly #start: { readonly size: number; readonly ino: number }
  readonly #sent: () => readonly SentRequest[]
  readonly #fuzzed: () => FuzzedRequests

  /** Create it before the first request: it ignores existing lines. */
  constructor(path: string, sent: () => readonly SentRequest[], fuzzed: () => FuzzedRequests) {
    this.#path = path
    const { size, ino } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0, ino: 0 }
    this.#start = { size, ino }
    this.#sent = sent
    this.#fuzzed = fuzzed
  }

  readonly steps: readonly { readonly code: Code; readonly run: () => Promise<string | undefined> }[] = [
    { code: 'log-line', run: () => this.#checkLines() },
    { code: 'log-format', run: () => this.#checkFormat() },
    { code: 'fuzz-log', run: () => this.#checkFuzzedLines() },
  ]

  async #checkLines(): Promise<string> {
    const sent = this.#sent()
    const end = performance.now() + lineTimeoutMs
    let missing = this.#findUnlogged(sent)
    while (missing && performance.now() < end) {
      await setTimeout(20)
      missing = this.#findUnlogged(sent)
    }
    expect(missing === undefined, () => ({
      expected: `a line for ${missing?.method} ${missing?.target} with status ${missing?.status} within a second`,
      actual: `${this.#path} has none`,
    }))
    return `${sent.length} requests`
  }

  /** The first request without a line. */
  #findUnlogged(sent: readonly SentRequest[]): SentRequest | undefined {
    const counts = new Map<string, number>()
    for (const line of this.#lines()) {
      const entry = parseLine(line)
      if (entry?.userAgent !== userAgent) continue
      const key = `${entry.method} ${entry.target} ${entry.status}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return sent.find(({ method, target, status }) => {
      const key = `${method} ${target} ${status}`
      const remaining = counts.get(key) ?? 0
      counts.set(key, remaining - 1)
      return remaining < 1
    })
  }

  async #checkFormat(): Promise<string> {
    const lines = this.#lines()
    if (lines.length === 0) throw new Skip('the log has no new lines')
    const malformedLine = lines.find((line) => parseLine(line) === undefined)
    expect(malformedLine === undefined, () => ({
      expected: 'client:port - user [time] "request" status size "referrer" "user agent"',
      actual: `a line is ${malformedLine?.slice(0, 300)}`,
    }))
    return `${lines.length} lines`
  }

  async #checkFuzzedLines(): Promise<string> {
    const { base, exchanges } = this.#fuzzed()
    if (exchanges.length === 0) throw new Skip('no malformed requests were sent (use --fuzz)')
    if (!this.#lines().some((line) => parseLine(line)?.port !== undefined))
      throw new Skip('the log has no client ports, which are needed to identify requests')
    const end = performance.now() + fuzzLogTimeoutMs
    let fault = logFault(this.#lines(), exchanges)
    while (fault && performance.now() < end) {
      await setTimeout(200)
      fault = logFault(this.#lines(), exchanges)
    }
    expect(fault === undefined, () => {
      const { actual, request } = fault as LogFault
      return { expected: 'one line for each request', actual, shell: (variable) => shellLine(request, base, variable) }
    })
    return `${exchanges.length} requests`
  }

  /** A rotated log no longer has the earlier lines. */
  #isRotated(): boolean {
    const { size, ino } = statSync(this.#path)
    return ino !== this.#start.ino || size < this.#start.size
  }

  #lines(): string[] {
    if (!statSync(this.#path, { throwIfNoEntry: false })) return []
    if (this.#start.size > 0 && this.#isRotated()) throw new Skip('the log was rotated during the check')
    const bytes = readFileSync(this.#path).subarray(this.#start.size)
    return bytes.toString('utf8').split('\n').slice(0, -1)
  }
}
