/** The known facts about one collection. Each request is sent once for all checks. */
import { isObject, pathKey, type ShapeProperty } from '@nomen/core/openapi'
import type { JsonObject } from '../document/read-document.ts'
import { expectStatus, Fault, Skip } from './finding.ts'
import type { CheckResponse, Query } from './request/exchange.ts'
import { type Page, pageOf } from './request/page.ts'
import { type Random, random } from './request/random.ts'
import type { Sender } from './request/sender.ts'
import type { Collection, Surface } from './surface.ts'
import { mapInBatches, type Walk, walkPages } from './walk.ts'

/** A list item, and the response to a read by its ID. */
export interface Read {
  readonly identity: string
  readonly item: JsonObject
  readonly response: CheckResponse
}

/** A list item and its single record. */
export interface Sample extends Read {
  readonly detail: JsonObject
}

/** Maximum number of parents to try until one has several children. */
const maxParents = 6

export interface SurveyContext {
  readonly surface: Surface
  readonly sender: Sender
  readonly seed: string
  readonly isWriting: boolean
  /** Maximum number of single records to read in a list. */
  readonly sampleSize: number
  /** The survey of the collection at a path. */
  readonly surveyAt: (path: string) => Survey | undefined
}

export class Survey {
  readonly collection: Collection
  readonly context: SurveyContext
  readonly #results = new Map<string, Promise<unknown>>()
  #random: Random

  constructor(collection: Collection, context: SurveyContext) {
    this.collection = collection
    this.context = context
    this.#random = this.#randomOf('')
  }

  /** Makes the choices of a check depend on its code only, so that a repetition makes the same choices. */
  startCheck(code: string): void {
    this.#random = this.#randomOf(code)
  }

  /** The choices of the current check. */
  get random(): Random {
    return this.#random
  }

  /** Forgets all responses, also those of the parents and of the default list. */
  clearResults(): void {
    this.#results.clear()
    const { variantOf } = this.collection
    for (const path of [this.#parentPath, variantOf?.path])
      if (path !== undefined) this.context.surveyAt(path)?.clearResults()
  }

  get sender(): Sender {
    return this.context.sender
  }

  /** The path of the list below existing parents, preferably with several children, or else with one. */
  listPath(): Promise<string> {
    return this.#once('listPath', async () => {
      const { path, isNested } = this.collection
      const parentPath = this.#parentPath
      if (!isNested || parentPath === undefined) return path
      const lastSegment = path.slice(path.lastIndexOf('}') + 1)
      const parent = this.context.surveyAt(parentPath)
      if (!parent) throw new Skip(`the document has no list at ${parentPath} to find a parent`)
      const base = await parent.listPath()
      const { records } = await parent.visitedRecords()
      const candidates = this.#randomOf('parent').sample(records, maxParents)
      if (candidates.length === 0) throw new Skip(`${base} has no records to use as parents`)
      const paths = candidates.map((record) => `${base}/${encodeURIComponent(parent.identityOf(record))}${lastSegment}`)
      let longest = { listPath: paths[0] as string, count: 0 }
      for (const listPath of paths) {
        const response = await this.sender.get(listPath, [], this.collection.list)
        const count = countOf(response)
        // A list that fails is used too, so that the checks report it.
        if (count > 1 || response.status >= 500) return listPath
        if (count > longest.count) longest = { listPath, count }
      }
      return longest.listPath
    })
  }

  /** The IDs of the parents in the path of the list, the nearest first. */
  async parentIdentities(): Promise<string[]> {
    const template = this.collection.path.split('/')
    const segments = (await this.listPath()).split('/')
    return template
      .flatMap((segment, index) => (segment.startsWith('{') ? [decodeURIComponent(`${segments[index]}`)] : []))
      .reverse()
  }

  /** One page of the list with these parameters. Throws a Fault unless the status is 200. */
  async readPage(query: Query = []): Promise<Page> {
    const response = await this.listResponse(query)
    expectStatus(response, 200)
    return skipOnFault(async () => pageOf(response, this.collection.isPaginated), 'the response is not a page')
  }

  /** The response to the list with these parameters. Throws Skip for a retired operation. */
  async listResponse(query: Query = []): Promise<CheckResponse> {
    const response = await this.sender.get(await this.listPath(), query, this.collection.list)
    if (response.status === 410) throw new Skip('the operation has been removed: status 410')
    return response
  }

  /** From the document. */
  get maximumSize(): number | undefined {
    const maximum = this.collection.list.parameters.find(({ name }) => name === 'pageSize')?.shape.schema.maximum
    return typeof maximum === 'number' ? maximum : undefined
  }

  /** The list without parameters. */
  firstPage(): Promise<Page> {
    return this.#once('firstPage', () => this.readPage())
  }

  /** All pages of the list, or a sample. */
  walk(): Promise<Walk> {
    return this.#once('walk', () => walkPages(this, { random: this.#randomOf('walk') }))
  }

  /** The records of all visited pages, for checks that do not test pagination. */
  visitedRecords(): Promise<Walk> {
    return skipOnFault(() => this.walk(), 'its pages cannot be read')
  }

  /** All records of a short list, or a sample, each with the response to a read by its ID. */
  readsById(): Promise<readonly Read[]> {
    return this.#once('readsById', async () => {
      const { records } = await this.visitedRecords()
      const items = this.#randomOf('reads').sample(records, this.context.sampleSize)
      return mapInBatches(items, async (item) => {
        const identity = this.identityOf(item)
        return { identity, item, response: await this.readOne(identity) }
      })
    })
  }

  /** The records of `readsById` that could be read. */
  async samples(): Promise<readonly Sample[]> {
    const reads = await this.readsById()
    const samples = reads.flatMap(({ response, ...read }): Sample[] =>
      response.status === 200 && isObject(response.json) ? [{ ...read, response, detail: response.json }] : [],
    )
    if (reads.length > 0 && samples.length === 0) throw new Skip('no record of the list can be read by its ID')
    return samples
  }

  /** A sample of records: single records, or list items if they cannot be read by ID. */
  async sampledRecords(): Promise<readonly Pick<Sample, 'identity' | 'detail'>[]> {
    if (this.collection.read) return this.samples()
    const { records } = await this.visitedRecords()
    return this.#randomOf('reads')
      .sample(records, this.context.sampleSize)
      .map((record) => ({ identity: this.identityOf(record), detail: record }))
  }

  /** Whether a property has the same type in list and single record, and not a label here and an ID there. */
  hasSameTypeInList(name: string): boolean {
    const { item, detail } = this.collection
    const [listProperty, detailProperty] = [item?.properties.get(name), detail?.properties.get(name)]
    if (listProperty === undefined || detailProperty === undefined) return listProperty !== undefined
    const [listTypes, singleTypes] = [typesOf(listProperty), typesOf(detailProperty)]
    return singleTypes.size === 0 || listTypes.size === 0 || [...listTypes].some((type) => singleTypes.has(type))
  }

  async readOne(identity: string): Promise<CheckResponse> {
    if (!this.collection.read) throw new Skip(`the document has no GET ${this.collection.path}/{…}`)
    return this.sender.get(`${await this.listPath()}/${encodeURIComponent(identity)}`, [], this.collection.read)
  }

  get identityName(): string {
    const { identityNames, item, detail, path } = this.collection
    const identityName =
      identityNames.find((name) => item?.properties.has(name)) ??
      identityNames.find((name) => detail?.properties.has(name))
    if (identityName === undefined) throw new Skip(`${path} has no property for the ID (${identityNames.join(', ')})`)
    return identityName
  }

  identityOf(record: JsonObject): string {
    const value = record[this.identityName]
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new Skip(`a record has no ID "${this.identityName}"`)
    return `${value}`
  }

  /** The path of the list of parents. */
  get #parentPath(): string | undefined {
    return /^(.*)\/\{[^}]*\}\/[^{}]*$/.exec(this.collection.path)?.[1]
  }

  #randomOf(name: string): Random {
    return random(this.context.seed, `${this.collection.path}\n${name}`)
  }

  #once<Result>(name: string, compute: () => Promise<Result>): Promise<Result> {
    const result = this.#results.get(name) ?? compute()
    this.#results.set(name, result)
    return result as Promise<Result>
  }
}

/** Surveys of all collections, created on demand. */
export function surveys(context: Omit<SurveyContext, 'surveyAt'>): (path: string) => Survey | undefined {
  const byKey = new Map<string, Survey>()
  const surveyAt = (path: string): Survey | undefined => {
    const key = pathKey(path)
    const collection = context.surface.collections.find((candidate) => pathKey(candidate.path) === key)
    if (collection && !byKey.has(key)) byKey.set(key, new Survey(collection, { ...context, surveyAt }))
    return byKey.get(key)
  }
  return surveyAt
}

/** Turns a fault, which only one check reports, into the reason why another check is skipped. */
async function skipOnFault<Result>(read: () => Promise<Result>, description: string): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Fault) throw new Skip(`${description}: ${error.message}`)
    throw error
  }
}

/** An integer is a number too. */
function typesOf({ shape: { types } }: ShapeProperty): ReadonlySet<string> {
  return types.has('integer') ? new Set([...types, 'number']) : types
}

function countOf({ json }: CheckResponse): number {
  const results = isObject(json) ? json.results : json
  return Array.isArray(results) ? results.length : 0
}
