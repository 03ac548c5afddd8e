/** The record for write checks: a new one, or an existing one whose values are only sent back. */
import { type DocumentOperation, isObject } from '@nomen/core/openapi'
import type { Json, JsonObject } from '../../document/read-document.ts'
import { expectStatus, Skip, statusOf } from '../finding.ts'
import type { Survey } from '../survey.ts'
import type { CreatedRecords } from './created-records.ts'
import { draft, mutableNames, textChange } from './draft.ts'
import { type CheckRequest, type CheckResponse, isSame } from './exchange.ts'

interface CreatedRecord {
  readonly path: string
  readonly body: JsonObject
  readonly response: CheckResponse
}

export class TrialRecord {
  readonly survey: Survey
  readonly createdRecords: CreatedRecords
  #created: CreatedRecord | undefined
  #existingPath: string | undefined
  #reason = 'no record could be created'

  constructor(survey: Survey, createdRecords: CreatedRecords) {
    this.survey = survey
    this.createdRecords = createdRecords
  }

  /** Tries a body with all properties, then one with the required ones. */
  async make(): Promise<void> {
    const { create, remove, path } = this.survey.collection
    const listPath = await this.survey.listPath()
    const [existing] = await this.survey.sampledRecords()
    this.#existingPath = existing && `${listPath}/${encodeURIComponent(existing.identity)}`
    if (!create) return this.#skip(`the document has no POST ${path} to create a record for the check`)
    if (!remove) return this.#skip(`the document has no DELETE ${path}/{…} to remove a record of the check`)
    let response: CheckResponse | undefined
    for (const isMinimal of [false, true]) {
      const body = draft(this.survey, create, existing?.detail, isMinimal)
      response = await this.send({ method: 'POST', path: listPath, body, operation: create })
      if (response.status < 300) return this.#setCreated(response, body, remove)
    }
    if (response && response.status >= 500) expectStatus(response, 201)
    this.#skip(`the service rejected all bodies: ${response && statusOf(response)}`)
  }

  #setCreated(response: CheckResponse, body: JsonObject, operation: DocumentOperation): void {
    const identity = this.#identityOf(response)
    if (identity === undefined) {
      this.createdRecords.trackUnknown(response)
      this.#skip('neither the body nor Location identifies the new record')
    }
    this.#created = { path: `${response.request.path}/${encodeURIComponent(identity)}`, body, response }
    this.createdRecords.track({ path: this.#created.path, operation })
    expectStatus(response, 201)
  }

  #skip(reason: string): never {
    this.#reason = reason
    throw new Skip(reason)
  }

  #identityOf({ json, headers }: CheckResponse): string | undefined {
    const value = isObject(json) ? json[this.survey.identityName] : undefined
    if (typeof value === 'string' || typeof value === 'number') return `${value}`
    const last = this.locationPath(headers.get('location'))?.split('/').at(-1)
    return last ? decodeSegment(last) : undefined
  }

  locationPath(location: string | null): string | undefined {
    return location === null ? undefined : URL.parse(location, this.survey.sender.urlOf('/'))?.pathname
  }

  /** The new record; throws Skip if there is none. */
  get created(): CreatedRecord {
    if (!this.#created) throw new Skip(this.#reason)
    return this.#created
  }

  /** Skips the check without a new record: a faulty service could damage an existing one. */
  expectCreated(): void {
    if (!this.#created) throw new Skip(this.#reason)
  }

  get path(): string {
    return this.#created?.path ?? this.#existingPath ?? this.created.path
  }

  read(): Promise<CheckResponse> {
    const { read } = this.survey.collection
    if (!read) throw new Skip('the document has no GET of the record')
    return this.survey.sender.get(this.path, [], read)
  }

  /** The current record. */
  async values(): Promise<JsonObject> {
    const response = await this.read()
    if (response.status !== 200 || !isObject(response.json)) throw new Skip(`a read returned ${statusOf(response)}`)
    return response.json
  }

  /** A valid change: another string, or an unchanged value if no property has free text or the record is not new. */
  changeOf(record: JsonObject): readonly [string, Json] {
    const change = this.#created && textChange(this.survey, record)
    if (change) return change
    const name = mutableNames(this.survey).find((property) => property in record)
    if (name === undefined) throw new Skip('the check found no writable property')
    return [name, record[name] as Json]
  }

  /** Retries with If-Match if the service requires it. */
  async write(operation: DocumentOperation, body: JsonObject): Promise<CheckResponse> {
    const request = { method: operation.method.toUpperCase(), path: this.path, body, operation }
    const response = await this.send(request)
    if (response.status !== 428) return response
    const etag = (await this.read()).headers.get('etag')
    return etag === null ? response : this.send({ ...request, headers: { 'if-match': etag } })
  }

  send(request: CheckRequest): Promise<CheckResponse> {
    return this.survey.sender.send(request)
  }

  /** Tracks the record for deletion if a faulty service has changed its ID. */
  async trackRenamed(identity: Json, before: JsonObject): Promise<void> {
    const { read, remove } = this.survey.collection
    const path = `${await this.survey.listPath()}/${encodeURIComponent(`${identity}`)}`
    const { status, json } = await this.survey.sender.get(path, [], read)
    const isThisRecord = isObject(json) && mutableNames(this.survey).every((name) => isSame(json[name], before[name]))
    if (status === 200 && isThisRecord && remove) this.createdRecords.track({ path, operation: remove })
  }
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
