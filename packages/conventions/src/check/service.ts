/** Checks a running service against the conventions, by its document and by its answers alone. */
import { type OpenApiDocument, readDocument, readDocumentText } from '../document/read-document.ts'
import type { Versioning } from './case/structure.ts'
import { type Evidence, Fault, OpenPoint, Skip } from './finding.ts'
import { type PlannedCheck, planOf } from './plan.ts'
import { curlLine } from './request/exchange.ts'
import { reasonOf, Sender, userAgent } from './request/sender.ts'
import { countsOf, type Report, type Result } from './result.ts'
import { surfaceOf } from './surface.ts'

export interface CheckOptions {
  /** Where the service is: `http://localhost:3000`. */
  readonly base: string
  /** A file or an address; `/openapi.json` below the base unless given. */
  readonly document?: string | undefined
  /** Whether records are made, changed and deleted. */
  readonly isWriting?: boolean
  /** Whether what the conventions leave open must be as Nomen decided. */
  readonly isStrict?: boolean
  /** How many bent requests are sent; with `isWriting` they change and delete any record. None unless given. */
  readonly fuzz?: number | undefined
  readonly versioning?: Versioning | undefined
  readonly accessLog?: string | undefined
  readonly seed?: string | undefined
  /** 5,000 unless given. */
  readonly maxRequests?: number
  /** Milliseconds that one answer may take. */
  readonly timeout?: number
  /** Sent as a bearer token. */
  readonly token?: string | undefined
  /** The variable that stands for the token in curl lines. */
  readonly tokenVariable?: string
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: CheckProgress) => void
}

export interface CheckProgress {
  readonly requests: number
  readonly done: number
  readonly planned: number
  readonly failed: number
}

/** The service cannot be checked at all: nothing answers, or there is no document. */
export class CheckError extends Error {
  override readonly name = 'CheckError'
}

/** Runs every check that fits. Rejects with a CheckError where there is nothing to check. */
export async function checkService(options: CheckOptions): Promise<Report> {
  const began = performance.now()
  const seed = options.seed ?? Math.random().toString(36).slice(2, 10)
  const { document, origin } = await findDocument(options)
  const surface = surfaceOf(document)
  if (surface.collections.length === 0)
    throw new CheckError('The document offers no list: there is nothing that the conventions speak of.')
  const base = await baseOf(options, document, origin)
  let results: Result[] = []
  let planned = 0
  const tell = (requests: number) =>
    options.onProgress?.({ requests, done: results.length, planned, failed: countsOf(results).failed })
  const { maxRequests = 5000, timeout = 10_000, token, isWriting = false, accessLog } = options
  const sender = new Sender({ base, maxRequests, timeout, token, onRequest: tell })
  const versioning = versioningOf(options, document)
  const { fuzz: count = 0, signal } = options
  const fuzz = { base, count, token, timeout, signal, onRequest: (sent: number) => tell(sender.count + sent) }
  const plan = planOf({ surface, sender, seed, isWriting, versioning, accessLog, fuzz })
  planned = plan.length
  let bug: unknown
  for (const check of plan) {
    // what was made is taken away again, whatever happens and whoever wants to stop
    if ((bug || options.signal?.aborted) && check.code !== 'cleanup') continue
    try {
      results = [...results, await resultOf(check, options)]
    } catch (error) {
      bug ??= error
    }
  }
  if (bug) throw bug
  return {
    base,
    title: titleOf(document),
    seed,
    isWriting,
    requests: sender.count + count,
    seconds: (performance.now() - began) / 1000,
    counts: countsOf(results),
    results,
  }
}

async function resultOf(check: PlannedCheck, options: CheckOptions): Promise<Result> {
  const first = await attempt(check, options)
  if (first.outcome !== 'failed' || !check.renew) return first
  // the records of a living service may have changed while they were looked at
  check.renew()
  const second = await attempt(check, options)
  if (second.outcome === 'failed') return second
  const note = `failed once and not again, so the records may have changed meanwhile: expected ${first.expected}; ${first.actual}`
  return { code: check.code, subject: check.subject, outcome: 'skipped', note }
}

async function attempt({ code, subject, run }: PlannedCheck, options: CheckOptions): Promise<Result> {
  try {
    const note = await run()
    return { code, subject, outcome: 'passed', ...(note && { note }) }
  } catch (error) {
    if (error instanceof Skip) return { code, subject, outcome: 'skipped', note: error.message }
    if (error instanceof OpenPoint && !options.isStrict)
      return { code, subject, outcome: 'not specified', ...told(error.evidence, options) }
    if (error instanceof Fault || error instanceof OpenPoint)
      return { code, subject, outcome: 'failed', ...told(error.evidence, options) }
    throw error
  }
}

function told({ expected, actual, answer, shell }: Evidence, { token, tokenVariable = 'TOKEN' }: CheckOptions) {
  const variable = token === undefined ? undefined : tokenVariable
  return {
    expected,
    actual,
    ...(answer && { curl: curlLine(answer, variable) }),
    ...(shell && { curl: shell(variable) }),
  }
}

async function findDocument({ base, document, token, timeout = 10_000 }: CheckOptions) {
  if (document !== undefined && !/^https?:/.test(document))
    return { document: await readDocument(document), origin: undefined }
  const url = document ?? `${base.replace(/\/$/, '')}/openapi.json`
  const text = await fetchText(url, token, timeout)
  return { document: await readDocumentText(text, url), origin: document === undefined ? url : undefined }
}

async function fetchText(url: string, token: string | undefined, timeout: number): Promise<string> {
  const headers = headersOf(token)
  let response: Response
  try {
    response = await fetch(url, { headers, signal: AbortSignal.timeout(timeout) })
  } catch (error) {
    throw new CheckError(`Nothing answers at ${url}: ${reasonOf(error)}.`, { cause: error })
  }
  if (response.ok) return response.text()
  throw new CheckError(`${url} answers with status ${response.status}, and no document.`)
}

/**
 * What the paths of the document stand below. The host is always the one that was asked for: a document may name
 * another one, and nobody has asked to write there.
 */
async function baseOf(options: CheckOptions, document: OpenApiDocument, origin: string | undefined): Promise<string> {
  const given = options.base.replace(/\/$/, '')
  const [server] = Array.isArray(document.servers) ? document.servers : []
  const declared = new URL(`${(server as { url?: string } | undefined)?.url ?? '/'}`, origin ?? `${given}/`)
  const named = `${new URL(given).origin}${declared.pathname.replace(/\/$/, '')}`
  const path = Object.keys((document.paths ?? {}) as object).find((one) => !one.includes('{')) ?? '/'
  for (const base of new Set([named, given])) {
    const status = await statusAt(`${base}${path}`, options)
    if (status === 401 || status === 403)
      throw new CheckError(`${base}${path} answers with status ${status}: the check is not let in.`)
    if (status !== 404) return base
  }
  return given
}

async function statusAt(url: string, { token, timeout = 10_000 }: CheckOptions): Promise<number> {
  const headers = headersOf(token)
  try {
    const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeout) })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    throw new CheckError(`Nothing answers at ${url}: ${reasonOf(error)}.`, { cause: error })
  }
}

function headersOf(token: string | undefined): Record<string, string> {
  return { 'user-agent': userAgent, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
}

/** As it was said, else as the document says it in Nomen's own words, else the stricter way. */
function versioningOf({ versioning }: CheckOptions, document: OpenApiDocument): Versioning {
  return versioning ?? (document['x-nomen-versioning'] === 'per-noun' ? 'per-noun' : 'whole')
}

function titleOf({ info }: OpenApiDocument): string {
  const { title } = (info ?? {}) as { title?: unknown }
  return typeof title === 'string' ? title : 'the service'
}
