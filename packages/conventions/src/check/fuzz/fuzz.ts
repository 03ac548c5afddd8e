/** Sends bent requests to every operation, and keeps the first of each kind of fault, made small. */

import type { DocumentOperation } from '@nomen/core/openapi'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { Code } from '../catalogue.ts'
import { Fault, OpenPoint, Skip } from '../finding.ts'
import { type Random, random as randomFrom } from '../request/random.ts'
import { Sender } from '../request/sender.ts'
import type { Surface } from '../surface.ts'
import { surveys } from '../survey.ts'
import { contentBends } from './bend-content.ts'
import { targetBends } from './bend-target.ts'
import { type Bending, begun, finished, pick, type Sending } from './bending.ts'
import { brokenHttp } from './broken-http.ts'
import { Judge, type Verdict } from './judge.ts'
import { type Seed, seedsOf } from './seed.ts'
import { shrunk } from './shrink.ts'
import { type Exchange, Wire } from './wire.ts'
import { shellLine, type WireRequest, wireText } from './wire-request.ts'

export interface FuzzOptions {
  readonly surface: Surface
  /** No slash at the end. */
  readonly base: string
  readonly seed: string
  /** How many requests are bent. */
  readonly count: number
  readonly isWriting: boolean
  readonly token?: string | undefined
  readonly timeout: number
  readonly ajv: Ajv2020
  readonly signal?: AbortSignal | undefined
  readonly onRequest?: (count: number) => void
}

/** What is reported of requests that are no HTTP. */
const brokenSubject = 'what is no HTTP'

/** Requests under way at once. */
const lanes = 8
/** After so many requests it is looked again which records there are. */
const freshFor = 3000
/** After so many requests in a row that nobody answered, no more are sent. */
const silenceLimit = 5

const bends = [...targetBends, ...contentBends]

export class Fuzz {
  readonly #options: FuzzOptions
  readonly #random: Random
  readonly #judge: Judge
  readonly #sending: Sending
  readonly #prefix: string
  readonly #found = new Map<string, Promise<Fault | OpenPoint>>()
  readonly exchanges: Exchange[] = []
  /** How many answers there were of each status. */
  readonly statuses = new Map<number, number>()
  #seeds = new Map<DocumentOperation, readonly Seed[]>()
  #begun = 0
  #unanswered = 0
  #run: Promise<void> | undefined

  constructor(options: FuzzOptions) {
    this.#options = options
    this.#random = randomFrom(options.seed, 'fuzz')
    this.#judge = new Judge(options.surface, options.ajv)
    const { host, pathname } = new URL(options.base)
    this.#sending = { host, token: options.token, isWriting: options.isWriting }
    this.#prefix = pathname.replace(/\/$/, '')
  }

  get operations(): readonly DocumentOperation[] {
    const { surface, isWriting } = this.#options
    return surface.operations.filter(({ method }) => isWriting || method === 'get' || method === 'head')
  }

  /** Sends all of them; once, however often it is asked. */
  run(): Promise<void> {
    this.#run ??= this.#sendAll()
    return this.#run
  }

  /** Throws what was found there, if anything was. */
  async expect(code: Code, subject: string): Promise<void> {
    await this.run()
    const found = await this.#found.get(`${code} ${subject}`)
    if (found) throw found
  }

  /** What was right before is right afterwards. */
  async expectUnharmed(): Promise<void> {
    await this.run()
    const wire = new Wire(this.#options.base, this.#options.timeout)
    try {
      for (const operation of this.operations.filter(({ method, path }) => method === 'get' && !path.includes('{'))) {
        const [seed] = this.#seeds.get(operation) ?? []
        if (!seed) continue
        const request = finished(begun(seed, this.#sending), [], this.#prefix)
        const { answers, silence } = await this.#send(wire, request)
        const status = answers[0]?.status ?? 0
        if (status !== 200 && status !== 410)
          throw this.#evidence(request, {
            code: 'fuzz-unharmed',
            expected: 'status 200',
            actual: silence ?? `status ${status}`,
          })
      }
    } finally {
      wire.close()
    }
  }

  async #sendAll(): Promise<void> {
    const all = Array.from({ length: lanes }, () => new Wire(this.#options.base, this.#options.timeout))
    try {
      while (this.#begun < this.#options.count && !this.#isOver) {
        await this.#look()
        const end = Math.min(this.#options.count, this.#begun + freshFor)
        await Promise.all(all.map((wire) => this.#lane(wire, end)))
      }
    } finally {
      for (const wire of all) wire.close()
    }
    await Promise.all(this.#found.values())
  }

  get #isOver(): boolean {
    return this.#unanswered >= silenceLimit || this.#options.signal?.aborted === true
  }

  async #lane(wire: Wire, end: number): Promise<void> {
    while (this.#begun < end && !this.#isOver) {
      this.#begun++
      this.#options.onRequest?.(this.#begun)
      await this.#try(wire, this.#next())
    }
  }

  async #try(wire: Wire, request: WireRequest): Promise<void> {
    const exchange = await this.#send(wire, request)
    this.#unanswered = exchange.answers.length > 0 || request.manner === 'left' ? 0 : this.#unanswered + 1
    for (const verdict of this.#judge.verdicts(exchange)) {
      const key = `${verdict.code} ${request.subject}`
      if (!this.#found.has(key)) this.#found.set(key, this.#told(request, verdict))
    }
  }

  async #send(wire: Wire, request: WireRequest): Promise<Exchange> {
    const exchange = await wire.send(request)
    this.exchanges.push(exchange)
    for (const { status } of exchange.answers) this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    return exchange
  }

  /** A fault with the smallest request that shows it; the one that showed it first where none does so again. */
  async #told(request: WireRequest, first: Verdict): Promise<Fault | OpenPoint> {
    const wire = new Wire(this.#options.base, this.#options.timeout)
    let verdict = first
    const isStill = async (smaller: WireRequest) => {
      const exchange = await this.#send(wire, smaller)
      const again = [...this.#judge.verdicts(exchange)].find(({ code }) => code === first.code)
      verdict = again ?? verdict
      return again !== undefined
    }
    try {
      const smallest = await shrunk(request, isStill)
      return this.#evidence(smallest, verdict)
    } finally {
      wire.close()
    }
  }

  #evidence(request: WireRequest, { expected, actual, isOpen }: Verdict): Fault | OpenPoint {
    const tricks = request.tricks.length === 0 ? '' : ` to a request with ${request.tricks.join(' and ')}`
    const shell = (tokenVariable?: string) => shellLine(request, this.#options.base, tokenVariable)
    const evidence = { expected, actual: `${actual}${tricks}`, shell }
    return isOpen ? new OpenPoint(evidence) : new Fault(evidence)
  }

  /** Finds out which records there are. */
  async #look(): Promise<void> {
    const { surface, base, seed, isWriting, token, timeout } = this.#options
    const sender = new Sender({ base, maxRequests: Number.POSITIVE_INFINITY, token, timeout })
    const surveyAt = surveys({ surface, sender, seed, isWriting })
    const meant = new Set(this.operations)
    const seeds = await seedsOf(surface, surveyAt, (operation) => meant.has(operation), this.#random)
    this.#seeds = Map.groupBy(seeds, ({ operation }) => operation)
  }

  #next(): WireRequest {
    const random = this.#random
    const seed = pick(random, this.#seeds.get(pick(random, this.operations)) ?? [])
    if (random.below(16) === 0) {
      const path = wireText(`${this.#prefix}/${seed.segments.map(({ text }) => text).join('/')}`)
      return brokenHttp(path, this.#sending, brokenSubject, random)
    }
    const given = begun(seed, this.#sending)
    const tricks: string[] = []
    const wanted = countOf(seed, random)
    for (let tries = 0; tricks.length < wanted && tries < 40; tries++) {
      const trick = pick(random, bends)(given, random)
      if (trick !== undefined) tricks.push(trick)
    }
    spare(given, random)
    return finished(given, tricks, this.#prefix)
  }
}

/** Some are sent as they are, above all those that make records: there must be something left to be asked for. */
function countOf({ operation }: Seed, random: Random): number {
  if (random.below(operation.method === 'post' ? 3 : 20) === 0) return 0
  return pick(random, [1, 1, 1, 1, 2, 2, 3])
}

/** Most deletions go to records that are not there. */
function spare(given: Bending, random: Random): void {
  const last = given.segments.at(-1)
  if (given.method !== 'DELETE' || !last?.isValue || random.below(10) === 0) return
  if (/^\d+$/.test(last.text)) given.segments[given.segments.length - 1] = { text: `9${last.text}0000`, isValue: true }
}

/** Checks of a run, each of which waits for its end. */
export function fuzzSteps(fuzz: Fuzz): { code: Code; subject: string; run: () => Promise<string | undefined> }[] {
  const codes = ['fuzz-answered', 'fuzz-blame', 'fuzz-problem', 'fuzz-leak', 'fuzz-promised'] as const
  const subjects = fuzz.operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  const steps = [...subjects, brokenSubject].flatMap((subject) =>
    codes
      .filter((code) => code !== 'fuzz-promised' || subject !== brokenSubject)
      .map((code) => ({ code, subject, run: () => fuzz.expect(code, subject).then(() => undefined) })),
  )
  const unharmed = async () => {
    await fuzz.expectUnharmed()
    const all = [...fuzz.statuses].sort(([one], [other]) => one - other)
    if (all.length === 0) throw new Skip('nothing was sent')
    return all.map(([status, count]) => `${count} of status ${status}`).join(', ')
  }
  return [...steps, { code: 'fuzz-unharmed', subject: 'the service', run: unharmed }]
}
