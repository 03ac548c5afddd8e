/** Checks of writes, as one story of a record: made, changed in every way, deleted, and gone. */
import type { ContractOperation } from '../document/contract.ts'
import type { Json, JsonObject } from '../document/read-document.ts'
import type { Code } from './catalogue.ts'
import type { Run } from './check.ts'
import { change, draft, mutableNames, otherValue } from './draft.ts'
import { type Answer, type Ask, isObject, isSame } from './exchange.ts'
import { expect, expectStatus, Fault, OpenPoint, Skip, statusOf } from './finding.ts'
import { judgeRefusal } from './refusal-check.ts'
import type { Survey } from './survey.ts'
import type { WriteTrail } from './write-trail.ts'

/** Fields left out of a PUT, one at a time, at most so many. */
const omissionLimit = 12

export class WriteStory {
  readonly survey: Survey
  readonly #trail: WriteTrail
  #created: { readonly path: string; readonly sent: JsonObject; readonly answer: Answer } | undefined
  /** Where no record can be made, one that is there is sent back as it is, and nothing else is tried on it. */
  #borrowed: string | undefined
  #noRecord = 'no record could be made'

  constructor(survey: Survey, trail: WriteTrail) {
    this.survey = survey
    this.#trail = trail
  }

  /** In this order, since each needs what the one before leaves behind. */
  readonly steps: readonly { readonly code: Code; readonly run: Run<[]> }[] = [
    { code: 'create', run: () => this.#create() },
    { code: 'create-location', run: () => this.#location() },
    { code: 'create-kept', run: () => this.#kept() },
    { code: 'patch-subset', run: () => this.#patch() },
    { code: 'put-complete', run: () => this.#put() },
    { code: 'put-demands-all', run: () => this.#putWithout() },
    { code: 'update-full-record', run: () => this.#fullRecord() },
    { code: 'static-stays', run: () => this.#static() },
    { code: 'malformed-json', run: () => this.#malformed() },
    { code: 'wrong-media-type', run: () => this.#mediaType() },
    { code: 'write-missing', run: () => this.#missing() },
    { code: 'delete', run: () => this.#delete() },
    { code: 'delete-gone', run: () => this.#gone() },
    { code: 'delete-twice', run: () => this.#deleteAgain() },
  ]

  async #create(): Promise<void> {
    const { create, path } = this.survey.collection
    const place = await this.survey.place()
    const [like] = await this.survey.facts()
    this.#borrowed = like && `${place}/${encodeURIComponent(like.identity)}`
    if (!create || !this.survey.collection.remove)
      return this.#withoutRecord(
        create
          ? `the document offers no DELETE ${path}/{…}: what is made could not be taken away again`
          : `the document offers no POST ${path}, so no record can be made to try it on`,
      )
    let answer: Answer | undefined
    for (const isLeast of [false, true]) {
      const sent = draft(this.survey, create, like?.detail, isLeast)
      answer = await this.#send({ method: 'POST', path: place, body: sent, operation: create })
      if (answer.status >= 300) continue
      const identity = this.#identityOf(answer)
      if (identity === undefined)
        return this.#withoutRecord(`neither body nor Location of the answer to POST ${path} tell what was made`)
      this.#created = { path: `${place}/${encodeURIComponent(identity)}`, sent, answer }
      this.#trail.owe({ path: this.#created.path, operation: this.survey.collection.remove })
      break
    }
    if (answer && answer.status >= 500) expectStatus(answer, 201)
    if (!this.#created) return this.#withoutRecord(`no body that it takes could be made: ${answer && statusOf(answer)}`)
    expectStatus(this.#created.answer, 201)
  }

  #withoutRecord(reason: string): never {
    this.#noRecord = reason
    throw new Skip(reason)
  }

  #identityOf({ json, headers }: Answer): string | undefined {
    const value = isObject(json) ? json[this.survey.identityName] : undefined
    if (typeof value === 'string' || typeof value === 'number') return `${value}`
    const last = this.#locationPath(headers.get('location'))?.split('/').at(-1)
    return last ? unescaped(last) : undefined
  }

  #locationPath(location: string | null): string | undefined {
    return location === null ? undefined : URL.parse(location, this.survey.sender.urlOf('/'))?.pathname
  }

  async #location(): Promise<void> {
    const { answer, path } = this.#made()
    const location = answer.headers.get('location')
    expect(location !== null, () => ({ expected: 'a header Location', actual: 'there is none', answer }))
    expect(this.#locationPath(location) === new URL(this.survey.sender.urlOf(path)).pathname, () => ({
      expected: `Location to lead to ${path}`,
      actual: `it is ${location}`,
      answer,
    }))
    expectStatus(await this.#read(), 200)
  }

  async #kept(): Promise<void> {
    const { sent } = this.#made()
    expectValues(await this.#read(), sent, 'which was sent')
  }

  async #patch(): Promise<void> {
    const { update } = this.survey.collection
    if (!update) throw new Skip('PATCH is not offered')
    const before = this.#recordOf(await this.#read())
    const [name, value] = this.#change(before) ?? this.#unchanged(before)
    const answer = await this.#write(update, 'PATCH', { [name]: value })
    expectStatus(answer, 200)
    expectValues(await this.#read(), { [name]: value }, 'which was sent')
    const rest = mutableNames(this.survey).filter((one) => one !== name)
    expectValues(await this.#read(), pick(before, rest), 'which was there before, and was not sent')
  }

  #change(record: JsonObject) {
    return this.#created ? change(this.survey, record) : undefined
  }

  /** Where nothing is known to take another value, one is sent as it is. */
  #unchanged(record: JsonObject): readonly [string, Json] {
    const name = mutableNames(this.survey).find((one) => one in record)
    if (name === undefined) throw new Skip('no property is known that can be changed')
    return [name, record[name] as Json]
  }

  async #put(): Promise<void> {
    const { replace } = this.#replacing()
    const before = this.#recordOf(await this.#read())
    const changed = this.#change(before)
    const body = { ...pick(before, mutableNames(this.survey)), ...(changed && { [changed[0]]: changed[1] }) }
    const answer = await this.#write(replace, 'PUT', body)
    expectStatus(answer, 200)
    expectValues(await this.#read(), body, 'which was sent')
  }

  async #putWithout(): Promise<void> {
    this.#made()
    const { replace } = this.#replacing()
    const names = mutableNames(this.survey)
    if (names.length === 0) throw new Skip('no property is known that can be changed')
    for (const name of this.survey.random.some(names, omissionLimit)) {
      const before = this.#recordOf(await this.#read())
      const rest = names.filter((one) => one !== name)
      const answer = await this.#write(replace, 'PUT', pick(before, rest))
      // what a wrong service has taken must not spoil the checks that follow
      if (answer.status < 300) await this.#write(replace, 'PUT', pick(before, names))
      expect(answer.status >= 400 && answer.status < 500, () => ({
        expected: `a PUT without "${name}" to be refused: it takes every field that can be changed`,
        actual: statusOf(answer),
        answer,
      }))
      expectValues(await this.#read(), pick(before, names), 'which was there before the refused PUT')
    }
  }

  #replacing(): { replace: ContractOperation } {
    const { replace } = this.survey.collection
    if (!replace) throw new Skip('PUT is not offered')
    return { replace }
  }

  /** Both verbs answer all that a read shows, as it is from then on. */
  async #fullRecord(): Promise<void> {
    const { update, replace } = this.survey.collection
    if (!update && !replace) throw new Skip('neither PUT nor PATCH is offered')
    for (const [operation, method] of [
      [update, 'PATCH'],
      [replace, 'PUT'],
    ] as const) {
      if (!operation) continue
      const before = this.#recordOf(await this.#read())
      const [name, value] = this.#change(before) ?? this.#unchanged(before)
      const names = mutableNames(this.survey)
      const body = method === 'PUT' ? { ...pick(before, names), [name]: value } : { [name]: value }
      const answer = await this.#write(operation, method, body)
      if (answer.status >= 300) continue
      const after = await this.#read()
      expect(isSame(answer.json, after.json), () => ({
        expected: `the full record after the change, as it is read then: ${after.text.slice(0, 300)}`,
        actual: answer.text.slice(0, 300) || 'nothing',
        answer,
      }))
    }
  }

  /** Sent or not, what cannot be changed stays as it is. */
  async #static(): Promise<void> {
    this.#made()
    const { update, replace } = this.survey.collection
    const operation = update ?? replace
    if (!operation) throw new Skip('neither PUT nor PATCH is offered')
    const before = this.#recordOf(await this.#read())
    const mutable = mutableNames(this.survey)
    const names = Object.keys(before).filter((name) => !mutable.includes(name))
    for (const name of names) {
      const value = otherValue(before[name])
      const body = update ? { [name]: value } : { ...pick(before, mutable), [name]: value }
      const answer = await this.#write(operation, update ? 'PATCH' : 'PUT', body)
      const after = await this.#read()
      expect(after.status === 200 && isObject(after.json) && !isSame(after.json[name], value), () => ({
        expected: `"${name}" to stay ${JSON.stringify(before[name])}: it is static`,
        actual:
          after.status === 200 ? `it became ${JSON.stringify(value)}` : `the record is read with ${statusOf(after)}`,
        answer,
      }))
    }
  }

  async #malformed(): Promise<void> {
    await this.#refused({ text: '{"broken": ' }, 400, 'a body that is no JSON', true)
  }

  async #mediaType(): Promise<void> {
    const headers = { 'content-type': 'text/plain' }
    await this.#refused({ text: 'nomen-check', headers }, 415, 'a body that is plain text', true)
  }

  async #refused(given: Partial<Ask>, usual: number, what: string, isTakenFault: boolean): Promise<void> {
    const { update, replace } = this.survey.collection
    const operation = update ?? replace
    if (!operation) throw new Skip('neither PUT nor PATCH is offered')
    const { path } = this.#made()
    const before = await this.#read()
    const answer = await this.#send({ method: operation.method.toUpperCase(), path, ...given })
    const after = await this.#read()
    expect(isSame(before.json, after.json), () => ({
      expected: `no change by ${what}`,
      actual: 'the record changed',
      answer,
    }))
    judgeRefusal(answer, usual, what, isTakenFault)
  }

  /** A record that does not exist cannot be changed. */
  async #missing(): Promise<void> {
    this.#made()
    const { update } = this.survey.collection
    if (!update) throw new Skip('PATCH is not offered')
    const before = this.#recordOf(await this.#read())
    const [name, value] = this.#unchanged(before)
    const absent = this.survey.absentValue(undefined, before[this.survey.identityName])
    const path = `${await this.survey.place()}/${absent}`
    const answer = await this.#send({ method: 'PATCH', path, body: { [name]: value } })
    expectStatus(answer, 404)
  }

  async #delete(): Promise<void> {
    const { remove } = this.survey.collection
    const { path } = this.#made()
    expectStatus(await this.#send({ method: 'DELETE', path, operation: remove }), 200)
    this.#trail.settle(path)
  }

  async #gone(): Promise<void> {
    this.#deleted()
    expectStatus(await this.#read(), 404)
  }

  async #deleteAgain(): Promise<void> {
    const { path } = this.#deleted()
    const answer = await this.#send({ method: 'DELETE', path })
    expectStatus(answer, 200, 404)
    this.#trail.deletedTwice.push(answer)
    if (answer.status === 200)
      throw new OpenPoint({ expected: 'status 404 for a second DELETE', actual: statusOf(answer), answer })
  }

  #deleted() {
    const made = this.#made()
    if (this.#trail.isOwed(made.path)) throw new Skip('the record could not be deleted')
    return made
  }

  #made() {
    if (!this.#created) throw new Skip(this.#noRecord)
    return this.#created
  }

  /** The record that is tried: its own, else the borrowed one. */
  #path(): string {
    return this.#created?.path ?? this.#borrowed ?? this.#made().path
  }

  #read(): Promise<Answer> {
    const { read } = this.survey.collection
    if (!read) throw new Skip('the document offers no GET of the record')
    return this.survey.sender.get(this.#path(), [], read)
  }

  #recordOf(answer: Answer): JsonObject {
    if (answer.status !== 200 || !isObject(answer.json)) throw new Skip(`the record is read with ${statusOf(answer)}`)
    return answer.json
  }

  async #write(operation: ContractOperation, method: string, body: JsonObject): Promise<Answer> {
    const ask = { method, path: this.#path(), body, operation }
    const answer = await this.#send(ask)
    if (answer.status !== 428) return answer
    const tag = (await this.#read()).headers.get('etag')
    return tag === null ? answer : this.#send({ ...ask, headers: { 'if-match': tag } })
  }

  #send(ask: Ask): Promise<Answer> {
    return this.survey.sender.send(ask)
  }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function pick(record: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name] as Json]))
}

function expectValues(answer: Answer, values: JsonObject, why: string): void {
  const record = answer.json
  if (answer.status !== 200 || !isObject(record))
    throw new Fault({ expected: 'the record', actual: statusOf(answer), answer })
  for (const [name, value] of Object.entries(values)) {
    if (!(name in record)) continue
    expect(isSame(record[name], value), () => ({
      expected: `${name} ${JSON.stringify(value)}, ${why}`,
      actual: `it is ${JSON.stringify(record[name])}`,
      answer,
    }))
  }
}
