/** Sends malformed requests to every operation, and keeps the first fault of each kind with a minimal request. */

import type { DocumentOperation } from '@nomen/core/openapi'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { Code } from '../catalog.ts'
import { Fault, NotSpecified, Skip } from '../finding.ts'
import { type Random, random as randomFrom } from '../request/random.ts'
import { Sender } from '../request/sender.ts'
import type { Surface } from '../surface.ts'
import { surveys } from '../survey.ts'
import { brokenHttp } from './broken-http.ts'
import { type MutableRequest, mutableRequest, pick, type SendOptions, toWireRequest } from './mutable-request.ts'
import { contentMutations } from './mutate-content.ts'
import { targetMutations } from './mutate-target.ts'
import { type Exchange, RawConnection } from './raw-connection.ts'
import { ResponseCheck, type Verdict } from './response-check.ts'
import { shrink } from './shrink.ts'
import { type ValidRequest, validRequestsOf } from './valid-request.ts'
import { shellLine, type WireRequest, wireText } from './wire-request.ts'

export interface FuzzOptions {
  readonly surface: Surface
  /** Without a trailing slash. */
  readonly base: string
  readonly seed: string
  /** The number of malformed requests. */
  readonly count: number
  readonly isWriting: boolean
  readonly token?: string | undefined
  readonly timeoutMs: number
  readonly ajv: Ajv2020
  readonly signal?: AbortSignal | undefined
  readonly onRequest?: (count: number) => void
}

/** The subject of findings for invalid HTTP. */
const brokenSubject = 'invalid HTTP'

/** Concurrent requests. */
const maxConcurrent = 8
/** Reads the existing records again after this number of requests. */
const requestsPerSurvey = 3000
/** Stops after this number of consecutive requests without a response. */
const maxUnanswered = 5

const mutations = [...targetMutations, ...contentMutations]

export class Fuzz {
  readonly #options: FuzzOptions
  readonly #random: Random
  readonly #responseCheck: ResponseCheck
  readonly #sendOptions: SendOptions
  readonly #prefix: string
  readonly #faults = new Map<string, Promise<Fault | NotSpecified>>()
  readonly exchanges: Exchange[] = []
  /** The number of responses by status. */
  readonly statuses = new Map<number, number>()
  /** The GETs that responded with 200 before the malformed requests, by their subject. */
  readonly #respondingLists = new Set<string>()
  #validRequests = new Map<DocumentOperation, readonly ValidRequest[]>()
  #started = 0
  #unanswered = 0
  #run: Promise<void> | undefined

  constructor(options: FuzzOptions) {
    this.#options = options
    this.#random = randomFrom(options.seed, 'fuzz')
    this.#responseCheck = new ResponseCheck(options.surface, options.ajv)
    const { host, pathname } = new URL(options.base)
    this.#sendOptions = { host, token: options.token, isWriting: options.isWriting }
    this.#prefix = pathname.replace(/\/$/, '')
  }

  get operations(): readonly DocumentOperation[] {
    const { surface, isWriting } = this.#options
    return surface.operations.filter(({ method }) => isWriting || method === 'get' || method === 'head')
  }

  /** Sends all requests, once. */
  run(): Promise<void> {
    this.#run ??= this.#sendAll()
    return this.#run
  }

  /** Throws the fault of an operation, if there is one. */
  async expect(code: Code, subject: string): Promise<void> {
    await this.run()
    const fault = await this.#faults.get(`${code} ${subject}`)
    if (fault) throw fault
  }

  /** Checks that all lists that responded with 200 before the malformed requests still do. */
  async expectListsRespond(): Promise<void> {
    await this.run()
    const exchanges = await this.#readLists()
    for (const { request, responses, failure } of exchanges) {
      const status = responses[0]?.status ?? 0
      if (status !== 200 && this.#respondingLists.has(request.subject))
        throw this.#evidence(request, {
          code: 'fuzz-side-effect',
          expected: 'status 200',
          actual: failure ?? `status ${status}`,
        })
    }
  }

  /** Sends each GET without path parameters. */
  async #readLists(): Promise<readonly Exchange[]> {
    const connection = new RawConnection(this.#options.base, this.#options.timeoutMs)
    const exchanges: Exchange[] = []
    try {
      for (const operation of this.operations.filter(({ method, path }) => method === 'get' && !path.includes('{'))) {
        const [validRequest] = this.#validRequests.get(operation) ?? []
        if (!validRequest) continue
        const request = toWireRequest(mutableRequest(validRequest, this.#sendOptions), [], this.#prefix)
        exchanges.push(await this.#send(connection, request))
      }
    } finally {
      connection.close()
    }
    return exchanges
  }

  async #sendAll(): Promise<void> {
    await this.#readValidRequests()
    for (const { request, responses } of await this.#readLists())
      if (responses[0]?.status === 200) this.#respondingLists.add(request.subject)
    const connections = Array.from(
      { length: maxConcurrent },
      () => new RawConnection(this.#options.base, this.#options.timeoutMs),
    )
    try {
      while (this.#started < this.#options.count && !this.#isStopped) {
        if (this.#started > 0) await this.#readValidRequests()
        const end = Math.min(this.#options.count, this.#started + requestsPerSurvey)
        await Promise.all(connections.map((connection) => this.#sendUntil(connection, end)))
      }
    } finally {
      for (const connection of connections) connection.close()
    }
    await Promise.all(this.#faults.values())
  }

  get #isStopped(): boolean {
    return this.#unanswered >= maxUnanswered || this.#options.signal?.aborted === true
  }

  async #sendUntil(connection: RawConnection, end: number): Promise<void> {
    while (this.#started < end && !this.#isStopped) {
      this.#started++
      this.#options.onRequest?.(this.#started)
      await this.#sendAndCheck(connection, this.#nextRequest())
    }
  }

  async #sendAndCheck(connection: RawConnection, request: WireRequest): Promise<void> {
    const exchange = await this.#send(connection, request)
    this.#unanswered = exchange.responses.length > 0 || request.mode === 'aborted' ? 0 : this.#unanswered + 1
    for (const verdict of this.#responseCheck.verdicts(exchange)) {
      const key = `${verdict.code} ${request.subject}`
      if (!this.#faults.has(key)) this.#faults.set(key, this.#faultOf(request, verdict))
    }
  }

  async #send(connection: RawConnection, request: WireRequest): Promise<Exchange> {
    const exchange = await connection.send(request)
    this.exchanges.push(exchange)
    for (const { status } of exchange.responses) this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    return exchange
  }

  /** A fault with the smallest request that reproduces it, or else the original request. */
  async #faultOf(request: WireRequest, firstVerdict: Verdict): Promise<Fault | NotSpecified> {
    const connection = new RawConnection(this.#options.base, this.#options.timeoutMs)
    let verdict = firstVerdict
    const reproduces = async (smaller: WireRequest) => {
      const exchange = await this.#send(connection, smaller)
      const sameVerdict = [...this.#responseCheck.verdicts(exchange)].find(({ code }) => code === firstVerdict.code)
      verdict = sameVerdict ?? verdict
      return sameVerdict !== undefined
    }
    try {
      const smallest = await shrink(request, reproduces)
      return this.#evidence(smallest, verdict)
    } finally {
      connection.close()
    }
  }

  #evidence(request: WireRequest, { expected, actual, isUnspecified }: Verdict): Fault | NotSpecified {
    const mutationText = request.mutations.length === 0 ? '' : ` to a request with ${request.mutations.join(' and ')}`
    const shell = (tokenVariable?: string) => shellLine(request, this.#options.base, tokenVariable)
    const evidence = { expected, actual: `${actual}${mutationText}`, shell }
    return isUnspecified ? new NotSpecified(evidence) : new Fault(evidence)
  }

  /** Creates a valid request for each operation from the current records. */
  async #readValidRequests(): Promise<void> {
    const { surface, base, seed, isWriting, token, timeoutMs } = this.#options
    const sender = new Sender({ base, maxRequests: Number.POSITIVE_INFINITY, token, timeoutMs })
    const surveyAt = surveys({ surface, sender, seed, isWriting, sampleSize: 6 })
    const included = new Set(this.operations)
    const validRequests = await validRequestsOf(surface, surveyAt, (operation) => included.has(operation), this.#random)
    this.#validRequests = Map.groupBy(validRequests, ({ operation }) => operation)
  }

  #nextRequest(): WireRequest {
    const random = this.#random
    const validRequest = pick(random, this.#validRequests.get(pick(random, this.operations)) ?? [])
    if (random.below(16) === 0) {
      const path = wireText(`${this.#prefix}/${validRequest.segments.map(({ text }) => text).join('/')}`)
      return brokenHttp(path, this.#sendOptions, brokenSubject, random)
    }
    const request = mutableRequest(validRequest, this.#sendOptions)
    const applied: string[] = []
    const mutationCount = mutationCountOf(validRequest, random)
    for (let tries = 0; applied.length < mutationCount && tries < 40; tries++) {
      const description = pick(random, mutations)(request, random)
      if (description !== undefined) applied.push(description)
    }
    useMissingRecord(request, random)
    return toWireRequest(request, applied, this.#prefix)
  }
}

/** Sends some requests unchanged, especially creates, so that there are records to request. */
function mutationCountOf({ operation }: ValidRequest, random: Random): number {
  if (random.below(operation.method === 'post' ? 3 : 20) === 0) return 0
  return pick(random, [1, 1, 1, 1, 2, 2, 3])
}

/** Most deletes use missing records. */
function useMissingRecord(request: MutableRequest, random: Random): void {
  const last = request.segments.at(-1)
  if (request.method !== 'DELETE' || !last?.isValue || random.below(10) === 0) return
  if (/^\d+$/.test(last.text))
    request.segments[request.segments.length - 1] = { text: `9${last.text}0000`, isValue: true }
}

/** The checks of a run; each waits for its end. */
export function fuzzSteps(fuzz: Fuzz): { code: Code; subject: string; run: () => Promise<string | undefined> }[] {
  const codes = ['fuzz-response', 'fuzz-server-error', 'fuzz-problem', 'fuzz-leak', 'fuzz-document'] as const
  const subjects = fuzz.operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  const steps = [...subjects, brokenSubject].flatMap((subject) =>
    codes
      .filter((code) => code !== 'fuzz-document' || subject !== brokenSubject)
      .map((code) => ({ code, subject, run: () => fuzz.expect(code, subject).then(() => undefined) })),
  )
  const checkUnchanged = async () => {
    await fuzz.expectListsRespond()
    const statuses = [...fuzz.statuses].sort(([a], [b]) => a - b)
    if (statuses.length === 0) throw new Skip('no requests were sent')
    return statuses.map(([status, count]) => `${count} with status ${status}`).join(', ')
  }
  return [...steps, { code: 'fuzz-side-effect', subject: 'the service', run: checkUnchanged }]
}
