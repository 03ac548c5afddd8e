/** Checks of writes, as one story of a record: made, changed in every way, deleted, and gone. */
import { type DocumentOperation, isObject } from '@nomen/core/openapi'
import type { Json, JsonObject } from '../../document/read-document.ts'
import type { Code } from '../catalogue.ts'
import { expect, expectStatus, Fault, OpenPoint, Skip, statusOf } from '../finding.ts'
import { mutableNames, otherValue } from '../request/draft.ts'
import { type Answer, type Ask, isSame } from '../request/exchange.ts'
import type { TrialRecord } from '../request/trial-record.ts'
import { judgeRefusal } from './refusal.ts'

/** Fields left out of a PUT, one at a time, at most so many. */
const omissionLimit = 12

async function location(record: TrialRecord): Promise<void> {
  const { answer, path } = record.made
  const given = answer.headers.get('location')
  expect(given !== null, () => ({ expected: 'a header Location', actual: 'there is none', answer }))
  expect(record.locationPath(given) === new URL(record.survey.sender.urlOf(path)).pathname, () => ({
    expected: `Location to lead to ${path}`,
    actual: `it is ${given}`,
    answer,
  }))
  expectStatus(await record.read(), 200)
}

async function kept(record: TrialRecord): Promise<void> {
  const { sent } = record.made
  expectValues(await record.read(), sent, 'which was sent')
}

async function patch(record: TrialRecord): Promise<void> {
  const update = offered(record, 'update')
  const before = await record.values()
  const [name, value] = record.changeOf(before)
  expectStatus(await record.write(update, { [name]: value }), 200)
  const after = await record.read()
  expectValues(after, { [name]: value }, 'which was sent')
  const rest = mutableNames(record.survey).filter((one) => one !== name)
  expectValues(after, pick(before, rest), 'which was there before, and was not sent')
}

async function put(record: TrialRecord): Promise<void> {
  const replace = offered(record, 'replace')
  const before = await record.values()
  const [name, value] = record.changeOf(before)
  const body = { ...pick(before, mutableNames(record.survey)), [name]: value }
  expectStatus(await record.write(replace, body), 200)
  expectValues(await record.read(), body, 'which was sent')
}

async function putWithout(record: TrialRecord): Promise<void> {
  record.expectOwn()
  const replace = offered(record, 'replace')
  const names = mutableNames(record.survey)
  if (names.length === 0) throw new Skip('no property is known that can be changed')
  for (const name of record.survey.random.some(names, omissionLimit)) {
    const before = await record.values()
    const rest = names.filter((one) => one !== name)
    const answer = await record.write(replace, pick(before, rest))
    // what a wrong service has taken must not spoil the checks that follow
    if (answer.status < 300) await record.write(replace, pick(before, names))
    expect(answer.status >= 400 && answer.status < 500, () => ({
      expected: `a PUT without "${name}" to be refused: it takes every field that can be changed`,
      actual: statusOf(answer),
      answer,
    }))
    expectValues(await record.read(), pick(before, names), 'which was there before the refused PUT')
  }
}

/** Both verbs answer all that a read shows, as it is from then on. */
async function fullRecord(record: TrialRecord): Promise<void> {
  const { update, replace } = record.survey.collection
  if (!update && !replace) throw new Skip('neither PUT nor PATCH is offered')
  for (const operation of [update, replace]) {
    if (!operation) continue
    const before = await record.values()
    const [name, value] = record.changeOf(before)
    const rest = operation === replace ? pick(before, mutableNames(record.survey)) : {}
    const answer = await record.write(operation, { ...rest, [name]: value })
    if (answer.status >= 300) continue
    const after = await record.read()
    expect(isSame(answer.json, after.json), () => ({
      expected: `the full record after the change, as it is read then: ${after.text.slice(0, 300)}`,
      actual: answer.text.slice(0, 300) || 'nothing',
      answer,
    }))
  }
}

/** Sent or not, what cannot be changed stays as it is. */
async function staysStatic(record: TrialRecord): Promise<void> {
  record.expectOwn()
  const { survey } = record
  const operation = changing(record)
  const mutable = mutableNames(survey)
  const before = await record.values()
  for (const name of Object.keys(before).filter((one) => !mutable.includes(one))) {
    const value = name === survey.identityName ? absentLike(record, before[name]) : otherValue(before[name])
    const rest = operation.method === 'put' ? pick(before, mutable) : {}
    const answer = await record.write(operation, { ...rest, [name]: value })
    const after = await record.read()
    if (after.status === 404) await record.follow(value, before)
    expect(after.status === 200 && isObject(after.json) && !isSame(after.json[name], value), () => ({
      expected: `"${name}" to stay ${JSON.stringify(before[name])}: it is static`,
      actual:
        after.status === 200 ? `it became ${JSON.stringify(value)}` : `the record is then read with ${statusOf(after)}`,
      answer,
    }))
  }
}

/** An identity that no record has, so that a wrong service harms none. */
function absentLike({ survey }: TrialRecord, like: Json | undefined): Json {
  const absent = survey.absentValue(undefined, like)
  return typeof like === 'number' ? Number(absent) : absent
}

async function malformed(record: TrialRecord): Promise<void> {
  await refused(record, { text: '{"broken": ' }, 400, 'a body that is no JSON')
}

async function mediaType(record: TrialRecord): Promise<void> {
  const headers = { 'content-type': 'text/plain' }
  await refused(record, { text: 'nomen-check', headers }, 415, 'a body that is plain text')
}

async function refused(record: TrialRecord, given: Partial<Ask>, usual: number, what: string): Promise<void> {
  const method = changing(record).method.toUpperCase()
  const { path } = record.made
  const before = await record.read()
  const answer = await record.send({ method, path, ...given })
  const after = await record.read()
  expect(isSame(before.json, after.json), () => ({
    expected: `no change by ${what}`,
    actual: 'the record changed',
    answer,
  }))
  judgeRefusal(answer, usual, what, true)
}

/** A record that does not exist cannot be changed. */
async function missing(record: TrialRecord): Promise<void> {
  record.expectOwn()
  const { survey } = record
  const update = offered(record, 'update')
  const before = await record.values()
  const [name, value] = record.changeOf(before)
  const absent = absentLike(record, before[survey.identityName])
  const path = `${await survey.place()}/${encodeURIComponent(`${absent}`)}`
  expectStatus(await record.send({ method: update.method.toUpperCase(), path, body: { [name]: value } }), 404)
}

async function remove(record: TrialRecord): Promise<void> {
  const { path } = record.made
  expectStatus(await record.send({ method: 'DELETE', path, operation: record.survey.collection.remove }), 200)
  record.trail.settle(path)
}

async function gone(record: TrialRecord): Promise<void> {
  expectDeleted(record)
  expectStatus(await record.read(), 404)
}

async function removeAgain(record: TrialRecord): Promise<void> {
  expectDeleted(record)
  const answer = await record.send({ method: 'DELETE', path: record.made.path })
  expectStatus(answer, 200, 404)
  record.trail.deletedTwice.push(answer)
  if (answer.status === 200)
    throw new OpenPoint({ expected: 'status 404 for a second DELETE', actual: statusOf(answer), answer })
}

function expectDeleted({ trail, made }: TrialRecord): void {
  if (trail.isOwed(made.path)) throw new Skip('the record could not be deleted')
}

function offered({ survey }: TrialRecord, which: 'update' | 'replace'): DocumentOperation {
  const operation = survey.collection[which]
  if (!operation) throw new Skip(`${which === 'update' ? 'PATCH' : 'PUT'} is not offered`)
  return operation
}

function changing({ survey: { collection } }: TrialRecord): DocumentOperation {
  const operation = collection.update ?? collection.replace
  if (!operation) throw new Skip('neither PUT nor PATCH is offered')
  return operation
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

/** In this order, since each needs what the one before leaves behind. */
export const writeSteps: readonly { readonly code: Code; readonly run: (record: TrialRecord) => Promise<void> }[] = [
  { code: 'create', run: (record) => record.make() },
  { code: 'create-location', run: location },
  { code: 'create-kept', run: kept },
  { code: 'patch-subset', run: patch },
  { code: 'put-complete', run: put },
  { code: 'put-demands-all', run: putWithout },
  { code: 'update-full-record', run: fullRecord },
  { code: 'static-stays', run: staysStatic },
  { code: 'malformed-json', run: malformed },
  { code: 'wrong-media-type', run: mediaType },
  { code: 'write-missing', run: missing },
  { code: 'delete', run: remove },
  { code: 'delete-gone', run: gone },
  { code: 'delete-twice', run: removeAgain },
]
