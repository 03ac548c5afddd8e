/** The plan of a run: all checks for all collections, in order. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { AccessLogCheck } from './case/access-log.ts'
import { filterChecks } from './case/filter.ts'
import { includeChecks } from './case/include.ts'
import { invalidRequestChecks } from './case/invalid-request.ts'
import { LinkChecks } from './case/link.ts'
import { nestedChecks } from './case/nested.ts'
import { observedChecks } from './case/observed.ts'
import { pageChecks } from './case/page.ts'
import { recordChecks } from './case/record.ts'
import { structureChecks, type Versioning } from './case/structure.ts'
import { writeSteps } from './case/write.ts'
import type { Code } from './catalog.ts'
import type { Run } from './check.ts'
import { Skip } from './finding.ts'
import { Fuzz, type FuzzOptions, fuzzSteps } from './fuzz/fuzz.ts'
import { CreatedRecords } from './request/created-records.ts'
import type { Sender } from './request/sender.ts'
import { TrialRecord } from './request/trial-record.ts'
import type { Surface } from './surface.ts'
import { surveys } from './survey.ts'

export interface PlannedCheck {
  readonly code: Code
  readonly subject: string
  readonly run: Run<[]>
  /**
   * Prepares a repetition with the same choices. Returns a function that reports whether the repetition read other records.
   * Undefined if a repetition makes no sense.
   */
  readonly startRepetition?: () => () => boolean
}

export interface PlanOptions {
  readonly surface: Surface
  readonly sender: Sender
  readonly seed: string
  readonly isWriting: boolean
  readonly versioning: Versioning
  readonly accessLog?: string | undefined
  readonly fuzz: Omit<FuzzOptions, 'surface' | 'seed' | 'isWriting' | 'ajv'>
}

/** Number of single records to read in each list. */
const sampleSize = { minimum: 6, maximum: 50 }

const readChecks = [
  ...pageChecks,
  ...recordChecks,
  ...filterChecks,
  ...includeChecks,
  ...nestedChecks,
  ...invalidRequestChecks,
]

export function planOf(options: PlanOptions): PlannedCheck[] {
  const { surface, sender, versioning, accessLog } = options
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, allErrors: false })
  addFormats.default(ajv)
  const fuzz = options.fuzz.count === 0 ? undefined : new Fuzz({ ...options, ...options.fuzz, ajv })
  const fuzzedRequests = () => ({ base: options.fuzz.base, exchanges: fuzz?.exchanges ?? [] })
  const log = accessLog === undefined ? undefined : new AccessLogCheck(accessLog, () => sender.sent, fuzzedRequests)
  return [
    ...structureChecks.map(({ code, run }) => ({
      code,
      subject: 'the document',
      run: async () => run(surface, versioning),
    })),
    ...collectionChecks(options),
    ...responseChecks(options, ajv),
    ...(fuzz ? fuzzSteps(fuzz) : []),
    ...(log?.steps ?? []).map((step) => ({ ...step, subject: 'the access log' })),
  ]
}

function* collectionChecks({ surface, sender, seed, isWriting }: PlanOptions): Generator<PlannedCheck> {
  const surveyAt = surveys({ surface, sender, seed, isWriting, sampleSize: sampleSizeOf(surface, sender) })
  const collectionSurveys = surface.collections.flatMap(({ path }) => surveyAt(path) ?? [])
  for (const survey of collectionSurveys)
    for (const { code, appliesTo, skipReason, run } of readChecks) {
      if (appliesTo && !appliesTo(survey.collection)) continue
      yield {
        code,
        subject: survey.collection.path,
        startRepetition: () => {
          survey.clearResults()
          return sender.reads.startRepetition()
        },
        run: async () => {
          survey.startCheck(code)
          const reason = skipReason?.(survey)
          if (reason !== undefined) throw new Skip(reason)
          return (await run(survey)) ?? undefined
        },
      }
    }
  if (!isWriting) return
  const createdRecords = new CreatedRecords()
  for (const survey of collectionSurveys) {
    const { create, replace, update, remove, link, unlink, path } = survey.collection
    if (!create && !replace && !update && !remove && !link && !unlink) continue
    if (link || unlink)
      for (const { code, run } of new LinkChecks(survey, createdRecords).steps) yield { code, subject: path, run }
    else {
      const record = new TrialRecord(survey, createdRecords)
      for (const { code, run } of writeSteps) yield { code, subject: path, run: () => run(record) }
    }
  }
  yield { code: 'delete-same-everywhere', subject: 'all records', run: async () => createdRecords.checkSecondDeletes() }
  yield { code: 'cleanup', subject: 'all records', run: () => createdRecords.deleteAll(sender) }
}

/** Uses a tenth of the requests to read single records. Filters and lookups need about as many again. */
function sampleSizeOf({ collections }: Surface, { maxRequests }: Sender): number {
  const perList = Math.floor(maxRequests / 10 / Math.max(1, collections.filter(({ read }) => read).length))
  return Math.min(sampleSize.maximum, Math.max(sampleSize.minimum, perList))
}

function responseChecks({ surface, sender, isWriting }: PlanOptions, ajv: Ajv2020): PlannedCheck[] {
  return surface.operations.flatMap((operation) =>
    observedChecks.map(({ code, run }) => ({
      code,
      subject: `${operation.method.toUpperCase()} ${operation.path}`,
      run: async () => {
        const responses = sender.observed.get(operation) ?? []
        if (responses.length === 0) {
          const isSent = isWriting || ['get', 'head', 'options'].includes(operation.method)
          throw new Skip(isSent ? 'no request was successful' : 'no writes were sent; use --write')
        }
        run(responses, surface.document, ajv)
      },
    })),
  )
}
