/** The record that writes are tried on: one that is made for it, or one that is there and only sent back as it is. */
import { type DocumentOperation, isObject } from '@nomen/core/openapi'
import type { Json, JsonObject } from '../../document/read-document.ts'
import { expectStatus, Skip, statusOf } from '../finding.ts'
import type { Survey } from '../survey.ts'
import { change, draft, mutableNames } from './draft.ts'
import { type Answer, type Ask, isSame } from './exchange.ts'
import type { WriteTrail } from './write-trail.ts'

interface Made {
  readonly path: string
  readonly sent: JsonObject
  readonly answer: Answer
}

export class TrialRecord {
  readonly survey: Survey
  readonly trail: WriteTrail
  #made: Made | undefined
  #borrowed: string | undefined
  #reason = 'no record could be made'

  constructor(survey: Survey, trail: WriteTrail) {
    this.survey = survey
    this.trail = trail
  }

  /** Tries a body with everything in it, then one with no more than there must be. */
  async make(): Promise<void> {
    const { create, remove, path } = this.survey.collection
    const place = await this.survey.place()
    const [like] = await this.survey.facts()
    this.#borrowed = like && `${place}/${encodeURIComponent(like.identity)}`
    if (!create) return this.#without(`the document offers no POST ${path}, so no record can be made to try it on`)
    if (!remove) return this.#without(`the document offers no DELETE ${path}/{…}: what is made would stay`)
    let answer: Answer | undefined
    for (const isLeast of [false, true]) {
      const sent = draft(this.survey, create, like?.detail, isLeast)
      answer = await this.send({ method: 'POST', path: place, body: sent, operation: create })
      if (answer.status < 300) return this.#take(answer, sent, remove)
    }
    if (answer && answer.status >= 500) expectStatus(answer, 201)
    this.#without(`no body that it takes could be made: ${answer && statusOf(answer)}`)
  }

  #take(answer: Answer, sent: JsonObject, operation: DocumentOperation): void {
    const identity = this.#identityOf(answer)
    if (identity === undefined) {
      this.trail.lose(answer)
      this.#without('neither the body nor Location tell what POST has made')
    }
    this.#made = { path: `${answer.ask.path}/${encodeURIComponent(identity)}`, sent, answer }
    this.trail.owe({ path: this.#made.path, operation })
    expectStatus(answer, 201)
  }

  #without(reason: string): never {
    this.#reason = reason
    throw new Skip(reason)
  }

  #identityOf({ json, headers }: Answer): string | undefined {
    const value = isObject(json) ? json[this.survey.identityName] : undefined
    if (typeof value === 'string' || typeof value === 'number') return `${value}`
    const last = this.locationPath(headers.get('location'))?.split('/').at(-1)
    return last ? unescaped(last) : undefined
  }

  locationPath(location: string | null): string | undefined {
    return location === null ? undefined : URL.parse(location, this.survey.sender.urlOf('/'))?.pathname
  }

  /** The one that was made; without it there is nothing to try. */
  get made(): Made {
    if (!this.#made) throw new Skip(this.#reason)
    return this.#made
  }

  /** What a wrong service might spoil is tried on nothing else. */
  expectOwn(): void {
    if (!this.#made) throw new Skip(this.#reason)
  }

  get path(): string {
    return this.#made?.path ?? this.#borrowed ?? this.made.path
  }

  read(): Promise<Answer> {
    const { read } = this.survey.collection
    if (!read) throw new Skip('the document offers no GET of the record')
    return this.survey.sender.get(this.path, [], read)
  }

  /** As it is at the moment. */
  async values(): Promise<JsonObject> {
    const answer = await this.read()
    if (answer.status !== 200 || !isObject(answer.json)) throw new Skip(`the record is read with ${statusOf(answer)}`)
    return answer.json
  }

  /** A change that it should take: another text, or a value as it is where none is free or the record is not ours. */
  changeOf(record: JsonObject): readonly [string, Json] {
    const free = this.#made && change(this.survey, record)
    if (free) return free
    const name = mutableNames(this.survey).find((one) => one in record)
    if (name === undefined) throw new Skip('no property is known that can be changed')
    return [name, record[name] as Json]
  }

  /** Given once more with the record's tag where the service insists on one. */
  async write(operation: DocumentOperation, body: JsonObject): Promise<Answer> {
    const ask = { method: operation.method.toUpperCase(), path: this.path, body, operation }
    const answer = await this.send(ask)
    if (answer.status !== 428) return answer
    const tag = (await this.read()).headers.get('etag')
    return tag === null ? answer : this.send({ ...ask, headers: { 'if-match': tag } })
  }

  send(ask: Ask): Promise<Answer> {
    return this.survey.sender.send(ask)
  }

  /** A wrong service may have moved it to another identity, from where it must be taken away as well. */
  async follow(identity: Json, before: JsonObject): Promise<void> {
    const { read, remove } = this.survey.collection
    const path = `${await this.survey.place()}/${encodeURIComponent(`${identity}`)}`
    const { status, json } = await this.survey.sender.get(path, [], read)
    const isOurs = isObject(json) && mutableNames(this.survey).every((name) => isSame(json[name], before[name]))
    if (status === 200 && isOurs && remove) this.trail.owe({ path, operation: remove })
  }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
