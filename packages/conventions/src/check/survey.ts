/** What has been learned of one collection; asked once, however many checks need it. */
import { isObject, pathKey, type ShapeProperty } from '@nomen/core/openapi'
import type { Json, JsonObject } from '../document/read-document.ts'
import { expectStatus, Fault, Skip } from './finding.ts'
import type { Answer, Query } from './request/exchange.ts'
import { type Page, pageOf } from './request/page.ts'
import { type Random, random } from './request/random.ts'
import type { Sender } from './request/sender.ts'
import type { Collection, Surface } from './surface.ts'
import { type Walk, walkPages } from './walk.ts'

/** A record of the list and the same one by itself. */
export interface Sample {
  readonly identity: string
  readonly item: JsonObject
  readonly detail: JsonObject
  readonly answer: Answer
}

/** How many single records are read for the checks that compare values. */
const sampleSize = 6
/** How many parents are tried until one has children. */
const parentTries = 6

export interface SurveyWorld {
  readonly surface: Surface
  readonly sender: Sender
  readonly seed: string
  readonly isWriting: boolean
  /** The survey of the collection at a path. */
  readonly surveyAt: (path: string) => Survey | undefined
}

export class Survey {
  readonly collection: Collection
  readonly world: SurveyWorld
  readonly random: Random
  readonly #known = new Map<string, Promise<unknown>>()

  constructor(collection: Collection, world: SurveyWorld) {
    this.collection = collection
    this.world = world
    this.random = random(world.seed, collection.path)
  }

  /** What is asked again is asked anew. */
  forget(): void {
    this.#known.clear()
  }

  get sender(): Sender {
    return this.world.sender
  }

  /** The path of the list, below parents that exist, with children where there are such. */
  place(): Promise<string> {
    return this.#once('place', async () => {
      const { path, isNested } = this.collection
      if (!isNested) return path
      const [, above = '', rest = ''] = /^(.*)\/\{[^}]*\}(\/[^{}]*)$/.exec(path) ?? []
      const parent = this.world.surveyAt(above)
      if (!parent) throw new Skip(`the document offers no list at ${above}, from which a parent could be taken`)
      const base = await parent.place()
      const { records } = await parent.known()
      const candidates = this.random.some(records, parentTries)
      if (candidates.length === 0) throw new Skip(`${base} has no records, and so no parent`)
      const places = candidates.map((record) => `${base}/${encodeURIComponent(parent.identityOf(record))}${rest}`)
      for (const place of places) {
        const answer = await this.sender.get(place, [], this.collection.list)
        if (countOf(answer) > 1) return place
      }
      return places[0] as string
    })
  }

  /** The parents' identities in the path of the list, the nearest first. */
  async parentIdentities(): Promise<string[]> {
    const template = this.collection.path.split('/')
    const place = (await this.place()).split('/')
    return template.flatMap((part, at) => (part.startsWith('{') ? [decodeURIComponent(`${place[at]}`)] : [])).reverse()
  }

  /** One page of the list, asked with these parameters; a fault unless it is answered 200. */
  async page(query: Query = []): Promise<Page> {
    const answer = await this.ask(query)
    expectStatus(answer, 200)
    return this.#understood(() => pageOf(answer, this.collection.isPaginated), 'the answer is no page')
  }

  /** What the service has retired cannot be tried any more. */
  async ask(query: Query = []): Promise<Answer> {
    const answer = await this.sender.get(await this.place(), query, this.collection.list)
    if (answer.status === 410) throw new Skip('it is gone: status 410')
    return answer
  }

  /** As far as the document says. */
  get maximumSize(): number | undefined {
    const maximum = this.collection.list.parameters.find(({ name }) => name === 'pageSize')?.shape.schema.maximum
    return typeof maximum === 'number' ? maximum : undefined
  }

  /** The list without parameters. */
  first(): Promise<Page> {
    return this.#once('first', () => this.page())
  }

  /** All of its pages, or a sample of them. */
  walk(): Promise<Walk> {
    return this.#once('walk', () => walkPages(this))
  }

  /** The records of the walk, for checks that are not about pages. */
  async known(): Promise<Walk> {
    try {
      return await this.walk()
    } catch (error) {
      if (error instanceof Fault) throw new Skip(`its pages cannot be walked: ${error.message}`)
      throw error
    }
  }

  /** Some of the records, each read by its identity. */
  samples(): Promise<readonly Sample[]> {
    return this.#once('samples', async () => {
      const { records } = await this.known()
      const found: Sample[] = []
      for (const item of this.random.some(records, sampleSize)) {
        const identity = this.identityOf(item)
        const answer = await this.readOne(identity)
        if (answer.status === 200 && isObject(answer.json)) found.push({ identity, item, detail: answer.json, answer })
      }
      if (records.length > 0 && found.length === 0) throw new Skip('no record of the list can be read by its identity')
      return found
    })
  }

  /** Some of the records with all that is known of them: by themselves, or from the list where they are only there. */
  async facts(): Promise<readonly Pick<Sample, 'identity' | 'detail'>[]> {
    if (this.collection.read) return this.samples()
    const { records } = await this.known()
    return this.random
      .some(records, sampleSize)
      .map((record) => ({ identity: this.identityOf(record), detail: record }))
  }

  /** Whether list and single record show a property in one form, and not a name here and an identity there. */
  isAlike(name: string): boolean {
    const { item, detail } = this.collection
    const [one, other] = [item?.properties.get(name), detail?.properties.get(name)]
    if (one === undefined || other === undefined) return one !== undefined
    const [own, types] = [typesOf(one), typesOf(other)]
    return types.size === 0 || own.size === 0 || [...own].some((type) => types.has(type))
  }

  async readOne(identity: string): Promise<Answer> {
    if (!this.collection.read) throw new Skip(`the document offers no GET ${this.collection.path}/{…}`)
    return this.sender.get(`${await this.place()}/${encodeURIComponent(identity)}`, [], this.collection.read)
  }

  get identityName(): string {
    const { identityNames, item, detail, path } = this.collection
    const found =
      identityNames.find((name) => item?.properties.has(name)) ??
      identityNames.find((name) => detail?.properties.has(name))
    if (found === undefined)
      throw new Skip(`no property of ${path} is known as its identity (${identityNames.join(', ')})`)
    return found
  }

  identityOf(record: JsonObject): string {
    const value = record[this.identityName]
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new Skip(`a record has no "${this.identityName}" by which it is known`)
    return `${value}`
  }

  /** An identity, or a value of another property, that no record has. */
  absentValue(schema: JsonObject | undefined, like: Json | undefined): string {
    if (typeof like === 'number' || schema?.type === 'integer') return `${900_000_000 + this.random.below(99_999_999)}`
    const word = this.random.word(12)
    if (schema?.format === 'uuid' || /^[\da-f]{8}-[\da-f]{4}-/i.test(`${like}`))
      return `${this.#hex(8)}-${this.#hex(4)}-4${this.#hex(3)}-8${this.#hex(3)}-${this.#hex(12)}`
    return schema?.format === 'email' ? `nomen-check-${word}@example.com` : `nomen-check-${word}`
  }

  #hex(length: number): string {
    return Array.from({ length }, () => this.random.below(16).toString(16)).join('')
  }

  #understood<Result>(read: () => Result, what: string): Result {
    try {
      return read()
    } catch (error) {
      // only the check of the envelope itself holds it against the service
      if (error instanceof Fault) throw new Skip(`${what}: ${error.message}`)
      throw error
    }
  }

  #once<Result>(name: string, find: () => Promise<Result>): Promise<Result> {
    const known = this.#known.get(name) ?? find()
    this.#known.set(name, known)
    return known as Promise<Result>
  }
}

/** Surveys of all collections, each made when it is asked for. */
export function surveys(world: Omit<SurveyWorld, 'surveyAt'>): (path: string) => Survey | undefined {
  const made = new Map<string, Survey>()
  const surveyAt = (path: string): Survey | undefined => {
    const key = pathKey(path)
    const collection = world.surface.collections.find((one) => pathKey(one.path) === key)
    if (collection && !made.has(key)) made.set(key, new Survey(collection, { ...world, surveyAt }))
    return made.get(key)
  }
  return surveyAt
}

/** An integer is a number too. */
function typesOf({ shape: { types } }: ShapeProperty): ReadonlySet<string> {
  return types.has('integer') ? new Set([...types, 'number']) : types
}

function countOf({ json }: Answer): number {
  const results = isObject(json) ? json.results : json
  return Array.isArray(results) ? results.length : 0
}
