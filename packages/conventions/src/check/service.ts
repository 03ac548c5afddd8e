/** Checks a running service against the conventions, with its document and its responses. */
import { isUrl } from '../document/document-file.ts'
import { type OpenApiDocument, readDocument, readDocumentText } from '../document/read-document.ts'
import type { Versioning } from './case/structure.ts'
import { type Evidence, Fault, NotSpecified, Skip } from './finding.ts'
import { type PlannedCheck, planOf } from './plan.ts'
import { curlLine } from './request/exchange.ts'
import { reasonOf, Sender, userAgent } from './request/sender.ts'
import { countsOf, type Report, type Result } from './result.ts'
import { serverUrl } from './server-url.ts'
import { type Surface, surfaceOf } from './surface.ts'

/** Options of a conformance check. */
export interface CheckOptions {
  /** The base URL of the service: `http://localhost:3000`. */
  readonly base: string
  /** A file or a URL. @default /openapi.json below the base URL */
  readonly document?: string | undefined
  /** Whether to create, change and delete records. */
  readonly isWriting?: boolean
  /** Whether to require Nomen's decision where the conventions leave a choice. */
  readonly isStrict?: boolean
  /** The number of malformed requests; with `isWriting` they may change and delete any record. @default 0 */
  readonly fuzz?: number | undefined
  readonly versioning?: Versioning | undefined
  readonly accessLog?: string | undefined
  readonly seed?: string | undefined
  /** @default 5000 */
  readonly maxRequests?: number
  /** Maximum time of a response, in milliseconds. */
  readonly timeoutMs?: number
  /** The bearer token. */
  readonly token?: string | undefined
  /** The environment variable for the token in curl commands. */
  readonly tokenVariable?: string
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: CheckProgress) => void
}

/** The progress of a conformance check. */
export interface CheckProgress {
  readonly requests: number
  readonly checked: number
  readonly planned: number
  readonly failed: number
}

/**
 * The error of a conformance check that could not run: the service does not respond, or there is no OpenAPI document.
 *
 * @example
 * ```ts
 * try {
 *   await checkService({ base: 'http://localhost:3000' })
 * } catch (error) {
 *   if (error instanceof CheckError) console.error(error.message, error.fix)
 * }
 * ```
 */
export class CheckError extends Error {
  override readonly name = 'CheckError'
  /** The next step for the user. */
  readonly fix: string

  constructor(message: string, fix: string, options?: ErrorOptions) {
    super(message, options)
    this.fix = fix
  }
}

const unreachableFix = 'Start the service. If its document has another URL, use --document.'

/**
 * Checks that a running service conforms to the REST conventions, by requests that it derives from the OpenAPI document.
 *
 * @example
 * ```ts
 * const { counts, results } = await checkService({ base: 'http://localhost:3000', isWriting: true })
 * for (const { code, subject, outcome } of results) if (outcome === 'failed') console.error(code, subject)
 * ```
 *
 * @throws CheckError if the service or its document cannot be read
 */
export async function checkService(options: CheckOptions): Promise<Report> {
  const startMs = performance.now()
  const seed = options.seed ?? Math.random().toString(36).slice(2, 10)
  const { document, origin } = await findDocument(options)
  const surface = surfaceOf(document)
  if (surface.collections.length === 0)
    throw new CheckError(
      'The document has no list operation, so there is nothing to check.',
      'Use --document with a document that has a list.',
    )
  const base = await baseOf(options, surface, origin)
  const results: Result[] = []
  let planned = 0
  const reportProgress = (requests: number) =>
    options.onProgress?.({ requests, checked: results.length, planned, failed: countsOf(results).failed })
  const { maxRequests = 5000, timeoutMs = 10_000, token, isWriting = false, accessLog } = options
  const sender = new Sender({ base, maxRequests, timeoutMs, token, onRequest: reportProgress })
  const versioning = versioningOf(options, document)
  const { fuzz: count = 0, signal } = options
  let fuzzCount = 0
  const fuzz = {
    base,
    count,
    token,
    timeoutMs,
    signal,
    onRequest: (sent: number) => {
      fuzzCount = sent
      reportProgress(sender.count + sent)
    },
  }
  const plan = planOf({ surface, sender, seed, isWriting, versioning, accessLog, fuzz })
  planned = plan.length
  await runPlan(plan, options, results)
  return {
    base,
    title: titleOf(document),
    seed,
    isWriting,
    requests: sender.count + fuzzCount,
    seconds: (performance.now() - startMs) / 1000,
    counts: countsOf(results),
    results,
  }
}

/** Runs the checks in order. After an error or an interruption, it only deletes the created records. */
async function runPlan(plan: readonly PlannedCheck[], options: CheckOptions, results: Result[]): Promise<void> {
  let unexpectedError: unknown
  for (const check of plan) {
    if ((unexpectedError || options.signal?.aborted) && check.code !== 'cleanup') continue
    try {
      results.push(await resultOf(check, options))
    } catch (error) {
      unexpectedError ??= error
    }
  }
  if (unexpectedError) throw unexpectedError
}

/** Repeats a failed check, because other clients may have changed records. Only such a change excuses the failure. */
async function resultOf(check: PlannedCheck, options: CheckOptions): Promise<Result> {
  const first = await attempt(check, options)
  if (first.outcome !== 'failed' || !check.startRepetition) return first
  const hasReadOtherRecords = check.startRepetition()
  const second = await attempt(check, options)
  const isExcused = hasReadOtherRecords()
  if (second.outcome === 'failed') return second
  if (!isExcused) return { ...first, note: 'passed when it was repeated, although no records had changed' }
  const note = `failed once, then passed after other clients had changed records: expected ${first.expected}; ${first.actual}`
  return { code: check.code, subject: check.subject, outcome: 'skipped', note }
}

async function attempt({ code, subject, run }: PlannedCheck, options: CheckOptions): Promise<Result> {
  try {
    const note = await run()
    return { code, subject, outcome: 'passed', ...(note && { note }) }
  } catch (error) {
    if (error instanceof Skip) return { code, subject, outcome: 'skipped', note: error.message }
    if (error instanceof NotSpecified && !options.isStrict)
      return { code, subject, outcome: 'not specified', ...evidenceFields(error.evidence, options) }
    if (error instanceof Fault || error instanceof NotSpecified)
      return { code, subject, outcome: 'failed', ...evidenceFields(error.evidence, options) }
    throw error
  }
}

function evidenceFields(
  { expected, actual, response, shell }: Evidence,
  { token, tokenVariable = 'TOKEN' }: CheckOptions,
) {
  const variable = token === undefined ? undefined : tokenVariable
  return {
    expected,
    actual,
    ...(response && { curl: curlLine(response, variable) }),
    ...(shell && { curl: shell(variable) }),
  }
}

async function findDocument({ base, document, token, timeoutMs = 10_000 }: CheckOptions) {
  if (document !== undefined && !isUrl(document)) return { document: await readDocument(document), origin: undefined }
  const url = document ?? `${base.replace(/\/$/, '')}/openapi.json`
  // Another host must not learn the token.
  const isSameOrigin = new URL(url).origin === new URL(base).origin
  const text = await fetchText(url, isSameOrigin ? token : undefined, timeoutMs)
  return { document: await readDocumentText(text, url), origin: document === undefined ? url : undefined }
}

async function fetchText(url: string, token: string | undefined, timeoutMs: number): Promise<string> {
  const headers = headersOf(token)
  let response: Response
  try {
    response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) })
  } catch (error) {
    throw noResponse(url, error)
  }
  if (response.ok) return response.text()
  throw new CheckError(`${url} returned status ${response.status} instead of a document.`, unreachableFix)
}

function noResponse(url: string, cause: unknown): CheckError {
  return new CheckError(`No response from ${url}: ${reasonOf(cause)}.`, unreachableFix, { cause })
}

/**
 * The base URL of the paths in the document. The host is always that of the user: a document may have another server,
 * on which the check must not write.
 */
async function baseOf(options: CheckOptions, surface: Surface, origin: string | undefined): Promise<string> {
  const userBase = options.base.replace(/\/$/, '')
  const declaredPath = URL.parse(serverUrl(surface.document) ?? '/', origin ?? `${userBase}/`)?.pathname ?? ''
  const declaredBase = `${new URL(userBase).origin}${declaredPath.replace(/\/$/, '')}`
  const path = surface.collections.find(({ isNested }) => !isNested)?.path ?? '/'
  for (const base of new Set([declaredBase, userBase])) {
    const status = await statusAt(`${base}${path}`, options)
    if (status === 401 || status === 403)
      throw new CheckError(
        `${base}${path} returned status ${status}: the check is not authorized.`,
        'Set CHECK_TOKEN or --token to a token with the scopes of the operations.',
      )
    if (status !== 404) return base
  }
  return userBase
}

async function statusAt(url: string, { token, timeoutMs = 10_000 }: CheckOptions): Promise<number> {
  const headers = headersOf(token)
  try {
    const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    throw noResponse(url, error)
  }
}

function headersOf(token: string | undefined): Record<string, string> {
  return { 'user-agent': userAgent, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
}

/** From the option, or else from `x-nomen-versioning`, or else the stricter kind. */
function versioningOf({ versioning }: CheckOptions, document: OpenApiDocument): Versioning {
  return versioning ?? (document['x-nomen-versioning'] === 'per-noun' ? 'per-noun' : 'whole')
}

function titleOf({ info }: OpenApiDocument): string {
  const { title } = (info ?? {}) as { title?: unknown }
  return typeof title === 'string' ? title : 'the service'
}
