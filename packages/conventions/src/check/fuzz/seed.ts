/** Requests that a service would take, one for each operation: what is bent afterwards begins right. */
import { type DocumentOperation, pathKey } from '@nomen/core/openapi'
import type { JsonObject } from '../../document/read-document.ts'
import { Fault, Skip } from '../finding.ts'
import { draft } from '../request/draft.ts'
import type { Random } from '../request/random.ts'
import type { Collection, Surface } from '../surface.ts'
import type { Survey } from '../survey.ts'

export interface Segment {
  readonly text: string
  /** Whether it is the value of a parameter, and no word of the path. */
  readonly isValue: boolean
}

export interface Seed {
  readonly operation: DocumentOperation
  readonly segments: readonly Segment[]
  /** For writes; absent where the operation takes none. */
  readonly body?: JsonObject
}

/** So many records of a list are asked for by their identity. */
const several = 6

/** Seeds of all operations that may be sent, made from what the lists show now. */
export async function seedsOf(
  surface: Surface,
  surveyAt: (path: string) => Survey | undefined,
  isMeant: (operation: DocumentOperation) => boolean,
  random: Random,
): Promise<readonly Seed[]> {
  const seeds: Seed[] = []
  for (const operation of surface.operations.filter(isMeant)) {
    const found = await tolerant(() => seedsAt(operation, surface, surveyAt, random))
    seeds.push(...(found && found.length > 0 ? found : [plainSeed(operation)]))
  }
  return seeds
}

async function seedsAt(
  operation: DocumentOperation,
  { collections }: Surface,
  surveyAt: (path: string) => Survey | undefined,
  random: Random,
): Promise<Seed[]> {
  const key = pathKey(operation.path)
  const own = collections.find(({ path }) => pathKey(path) === key)
  if (own) {
    const survey = surveyAt(own.path) as Survey
    return [await seedFrom(operation, survey, await survey.place())]
  }
  const above = collections.find(({ path }) => `${pathKey(path)}/{}` === key)
  if (above) {
    const survey = surveyAt(above.path) as Survey
    const place = await survey.place()
    const { records } = await survey.known()
    const some = random.some(records, several).map((record) => survey.identityOf(record))
    return Promise.all(some.map((identity) => seedFrom(operation, survey, `${place}/${encodeURIComponent(identity)}`)))
  }
  return lookupSeeds(operation, collections, surveyAt)
}

async function lookupSeeds(
  operation: DocumentOperation,
  collections: readonly Collection[],
  surveyAt: (path: string) => Survey | undefined,
): Promise<Seed[]> {
  const found = collections.find(({ lookups }) => lookups.some((one) => one.operation === operation))
  const survey = found && surveyAt(found.path)
  if (!survey) return []
  const field = found.lookups.find((one) => one.operation === operation)?.field ?? ''
  const name = field.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const place = await survey.place()
  const samples = await survey.samples()
  return samples.flatMap(({ detail }) => {
    const value = detail[name]
    if (typeof value !== 'string' && typeof value !== 'number') return []
    const path = `${place}/by-${field}/${encodeURIComponent(value)}`
    return [{ operation, segments: segmentsOf(operation, path) }]
  })
}

async function seedFrom(operation: DocumentOperation, survey: Survey, path: string): Promise<Seed> {
  const segments = segmentsOf(operation, path)
  if (!operation.body) return { operation, segments }
  const [like] = (await tolerant(() => survey.facts())) ?? []
  return { operation, segments, body: draft(survey, operation, like?.detail, false) }
}

/** From the document alone. */
function plainSeed(operation: DocumentOperation): Seed {
  const path = operation.path.replaceAll(/\{([^}]*)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name)
    const { types } = parameter?.shape ?? {}
    return !types?.size || types.has('number') || types.has('integer') ? '1' : 'a'
  })
  return { operation, segments: segmentsOf(operation, path), ...(operation.body && { body: {} }) }
}

function segmentsOf({ path }: DocumentOperation, filled: string): Segment[] {
  const template = path.split('/').slice(1)
  const texts = filled.split('/').slice(1)
  return texts.map((text, at) => ({ text, isValue: /\{/.test(template[at] ?? '') }))
}

/** What the lists do not show, or show wrongly, is the concern of other checks. */
async function tolerant<Result>(find: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof Skip || error instanceof Fault) return undefined
    throw error
  }
}
