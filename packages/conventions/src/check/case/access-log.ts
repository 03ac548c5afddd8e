/** Checks of the access log: a line for each request, in time, and in the combined format. */
import { readFileSync, statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { parseLine } from '@nomen/core'
import type { Code } from '../catalogue.ts'
import { expect, Skip } from '../finding.ts'
import { type LogFault, logFault } from '../fuzz/log.ts'
import type { Exchange } from '../fuzz/wire.ts'
import { shellLine } from '../fuzz/wire-request.ts'
import { type Sent, userAgent } from '../request/sender.ts'

/** How long a line may take, in milliseconds. */
const patience = 1000
/** Where as many lines are written as a service can write. */
const patienceForMany = 5000

/** What was sent besides, bent, and where to. */
interface Bent {
  readonly base: string
  readonly exchanges: readonly Exchange[]
}

export class AccessLogCheck {
  readonly #path: string
  readonly #start: { readonly size: number; readonly ino: number }
  readonly #sent: () => readonly Sent[]
  readonly #bent: () => Bent

  /** Made before the first request: what stands in the file until then is not looked at. */
  constructor(path: string, sent: () => readonly Sent[], bent: () => Bent) {
    this.#path = path
    const { size, ino } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0, ino: 0 }
    this.#start = { size, ino }
    this.#sent = sent
    this.#bent = bent
  }

  readonly steps: readonly { readonly code: Code; readonly run: () => Promise<string | undefined> }[] = [
    { code: 'log-line', run: () => this.#everyLine() },
    { code: 'log-format', run: () => this.#format() },
    { code: 'fuzz-log', run: () => this.#everyBent() },
  ]

  async #everyLine(): Promise<string> {
    const sent = this.#sent()
    const end = performance.now() + patience
    let missing = this.#missing(sent)
    while (missing && performance.now() < end) {
      await setTimeout(20)
      missing = this.#missing(sent)
    }
    expect(missing === undefined, () => ({
      expected: `a line for ${missing?.method} ${missing?.target} with status ${missing?.status} within a second`,
      actual: `${this.#path} has none`,
    }))
    return `${sent.length} requests`
  }

  /** The first request without a line. */
  #missing(sent: readonly Sent[]): Sent | undefined {
    const counts = new Map<string, number>()
    for (const line of this.#lines()) {
      const entry = parseLine(line)
      if (entry?.userAgent !== userAgent) continue
      const key = `${entry.method} ${entry.target} ${entry.status}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return sent.find(({ method, target, status }) => {
      const key = `${method} ${target} ${status}`
      const left = counts.get(key) ?? 0
      counts.set(key, left - 1)
      return left < 1
    })
  }

  async #format(): Promise<string> {
    const lines = this.#lines()
    if (lines.length === 0) throw new Skip('no line was written')
    const wrong = lines.find((line) => parseLine(line) === undefined)
    expect(wrong === undefined, () => ({
      expected: 'client:port - user [time] "request" status size "referrer" "user agent"',
      actual: `a line is ${wrong?.slice(0, 300)}`,
    }))
    return `${lines.length} lines`
  }

  async #everyBent(): Promise<string> {
    const { base, exchanges: bent } = this.#bent()
    if (bent.length === 0) throw new Skip('no bent requests were sent: --fuzz sends them')
    if (!this.#lines().some((line) => parseLine(line)?.port !== undefined))
      throw new Skip('the log has no ports, by which these requests could be told apart')
    const end = performance.now() + patienceForMany
    let fault = logFault(this.#lines(), bent)
    while (fault && performance.now() < end) {
      await setTimeout(200)
      fault = logFault(this.#lines(), bent)
    }
    expect(fault === undefined, () => {
      const { actual, request } = fault as LogFault
      return { expected: 'one line for each request', actual, shell: (variable) => shellLine(request, base, variable) }
    })
    return `${bent.length} requests`
  }

  /** What was written before could not be found any more. */
  #isRotated(): boolean {
    const { size, ino } = statSync(this.#path)
    return ino !== this.#start.ino || size < this.#start.size
  }

  #lines(): string[] {
    if (!statSync(this.#path, { throwIfNoEntry: false })) return []
    if (this.#start.size > 0 && this.#isRotated()) throw new Skip('another file has taken its place meanwhile')
    const bytes = readFileSync(this.#path).subarray(this.#start.size)
    return bytes.toString('utf8').split('\n').slice(0, -1)
  }
}
