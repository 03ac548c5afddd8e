/** Valid requests, one per operation, as the start of mutations. */
import { type DocumentOperation, pathKey } from '@nomen/core/openapi'
import type { JsonObject } from '../../document/read-document.ts'
import { Fault, Skip } from '../finding.ts'
import { draft } from '../request/draft.ts'
import type { Random } from '../request/random.ts'
import { type Collection, lookupProperty, type Surface } from '../surface.ts'
import type { Survey } from '../survey.ts'

export interface Segment {
  readonly text: string
  /** Whether it is the value of a parameter and not a literal segment. */
  readonly isValue: boolean
}

export interface ValidRequest {
  readonly operation: DocumentOperation
  readonly segments: readonly Segment[]
  /** For writes; undefined if the operation has no body. */
  readonly body?: JsonObject
}

/** Maximum number of records of a list that are requested by ID. */
const maxRecords = 6

/** The valid requests of all included operations, from the current records. */
export async function validRequestsOf(
  surface: Surface,
  surveyAt: (path: string) => Survey | undefined,
  isIncluded: (operation: DocumentOperation) => boolean,
  random: Random,
): Promise<readonly ValidRequest[]> {
  const requests: ValidRequest[] = []
  for (const operation of surface.operations.filter(isIncluded)) {
    const requestsWithRecords = await ignoreFaults(() => requestsAt(operation, surface, surveyAt, random))
    requests.push(
      ...(requestsWithRecords && requestsWithRecords.length > 0
        ? requestsWithRecords
        : [requestFromDocument(operation)]),
    )
  }
  return requests
}

async function requestsAt(
  operation: DocumentOperation,
  { collections }: Surface,
  surveyAt: (path: string) => Survey | undefined,
  random: Random,
): Promise<ValidRequest[]> {
  const key = pathKey(operation.path)
  const collection = collections.find(({ path }) => pathKey(path) === key)
  if (collection) {
    const survey = surveyAt(collection.path) as Survey
    return [await requestFrom(operation, survey, await survey.listPath())]
  }
  const listCollection = collections.find(({ path }) => `${pathKey(path)}/{}` === key)
  if (listCollection) {
    const survey = surveyAt(listCollection.path) as Survey
    const listPath = await survey.listPath()
    const { records } = await survey.visitedRecords()
    const identities = random.sample(records, maxRecords).map((record) => survey.identityOf(record))
    return Promise.all(
      identities.map((identity) => requestFrom(operation, survey, `${listPath}/${encodeURIComponent(identity)}`)),
    )
  }
  return lookupRequests(operation, collections, surveyAt)
}

async function lookupRequests(
  operation: DocumentOperation,
  collections: readonly Collection[],
  surveyAt: (path: string) => Survey | undefined,
): Promise<ValidRequest[]> {
  for (const collection of collections) {
    const lookup = collection.lookups.find((candidate) => candidate.operation === operation)
    const name = lookup && lookupProperty(collection, lookup)
    const survey = surveyAt(collection.path)
    if (!lookup || !survey || name === undefined) continue
    const listPath = await survey.listPath()
    const samples = await survey.samples()
    return samples.flatMap(({ detail }) => {
      const value = detail[name]
      if (typeof value !== 'string' && typeof value !== 'number') return []
      const path = `${listPath}/by-${lookup.field}/${encodeURIComponent(value)}`
      return [{ operation, segments: segmentsOf(operation, path) }]
    })
  }
  return []
}

async function requestFrom(operation: DocumentOperation, survey: Survey, path: string): Promise<ValidRequest> {
  const segments = segmentsOf(operation, path)
  if (!operation.body) return { operation, segments }
  const [record] = (await ignoreFaults(() => survey.sampledRecords())) ?? []
  return { operation, segments, body: draft(survey, operation, record?.detail, false) }
}

/** A value from the document. */
function requestFromDocument(operation: DocumentOperation): ValidRequest {
  const path = operation.path.replaceAll(/\{([^}]*)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((candidate) => candidate.in === 'path' && candidate.name === name)
    const { types } = parameter?.shape ?? {}
    return !types?.size || types.has('number') || types.has('integer') ? '1' : 'a'
  })
  return { operation, segments: segmentsOf(operation, path), ...(operation.body && { body: {} }) }
}

function segmentsOf({ path }: DocumentOperation, filledPath: string): Segment[] {
  const template = path.split('/').slice(1)
  const texts = filledPath.split('/').slice(1)
  return texts.map((text, index) => ({ text, isValue: /\{/.test(template[index] ?? '') }))
}

/** Ignores faults of lists, which other checks report. */
async function ignoreFaults<Result>(find: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof Skip || error instanceof Fault) return undefined
    throw error
  }
}
