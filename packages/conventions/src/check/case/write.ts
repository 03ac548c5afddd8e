/** Checks for writes, with one record: created, changed, deleted. */

import { type DocumentOperation, isObject } from '@nomen/core/openapi'
import type { Json, JsonObject } from '../../document/read-document.ts'
import type { Code } from '../catalog.ts'
import { expect, expectStatus, Fault, NotSpecified, Skip, statusOf } from '../finding.ts'
import { absentValue } from '../request/absent-value.ts'
import { mutableNames, otherValue } from '../request/draft.ts'
import { type CheckRequest, type CheckResponse, isSame } from '../request/exchange.ts'
import type { TrialRecord } from '../request/trial-record.ts'
import { expectRejection } from './invalid-request.ts'

/** Maximum number of fields that are left out of a PUT, one at a time. */
const maxOmissions = 12

async function checkLocation(record: TrialRecord): Promise<void> {
  const { response, path } = record.created
  const location = response.headers.get('location')
  expect(location !== null, () => ({ expected: 'a header Location', actual: 'it is missing', response }))
  expect(record.locationPath(location) === new URL(record.survey.sender.urlOf(path)).pathname, () => ({
    expected: `Location to lead to ${path}`,
    actual: `it is ${location}`,
    response,
  }))
  expectStatus(await record.read(), 200)
}

async function checkStoredValues(record: TrialRecord): Promise<void> {
  const { body: sent } = record.created
  expectValues(await record.read(), sent, 'as in the request')
}

async function checkPatch(record: TrialRecord): Promise<void> {
  const update = offeredOperation(record, 'update')
  const before = await record.values()
  const [name, value] = record.changeOf(before)
  expectStatus(await record.write(update, { [name]: value }), 200)
  const after = await record.read()
  expectValues(after, { [name]: value }, 'as in the request')
  const others = mutableNames(record.survey).filter((candidate) => candidate !== name)
  expectValues(after, pick(before, others), 'unchanged, because the request did not have it')
}

async function checkPut(record: TrialRecord): Promise<void> {
  const replace = offeredOperation(record, 'replace')
  const before = await record.values()
  const [name, value] = record.changeOf(before)
  const body = { ...pick(before, mutableNames(record.survey)), [name]: value }
  expectStatus(await record.write(replace, body), 200)
  expectValues(await record.read(), body, 'as in the request')
}

async function checkIncompletePut(record: TrialRecord): Promise<void> {
  record.expectCreated()
  const replace = offeredOperation(record, 'replace')
  const names = mutableNames(record.survey)
  if (names.length === 0) throw new Skip('the check found no writable property')
  for (const name of record.survey.random.sample(names, maxOmissions)) {
    const before = await record.values()
    const others = names.filter((candidate) => candidate !== name)
    const response = await record.write(replace, pick(before, others))
    // If the service accepts it, restore the record for the following checks.
    if (response.status < 300) await record.write(replace, pick(before, names))
    expect(response.status >= 400 && response.status < 500, () => ({
      expected: `an error for a PUT without "${name}": PUT requires all writable properties`,
      actual: statusOf(response),
      response,
    }))
    expectValues(await record.read(), pick(before, names), 'unchanged after the rejected PUT')
  }
}

/** PUT and PATCH return the full record after the change. */
async function checkFullRecord(record: TrialRecord): Promise<void> {
  const { update, replace } = record.survey.collection
  if (!update && !replace) throw new Skip('the document has neither PUT nor PATCH')
  for (const operation of [update, replace]) {
    if (!operation) continue
    const before = await record.values()
    const [name, value] = record.changeOf(before)
    const others = operation === replace ? pick(before, mutableNames(record.survey)) : {}
    const response = await record.write(operation, { ...others, [name]: value })
    if (response.status >= 300) continue
    const after = await record.read()
    expect(isSame(response.json, after.json), () => ({
      expected: `the full record after the change: ${after.text.slice(0, 300)}`,
      actual: response.text.slice(0, 300) || 'nothing',
      response,
    }))
  }
}

/** Read-only properties do not change, even if they are sent. */
async function checkImmutableFields(record: TrialRecord): Promise<void> {
  record.expectCreated()
  const { survey } = record
  const operation = changeOperation(record)
  const mutable = mutableNames(survey)
  const before = await record.values()
  for (const name of Object.keys(before).filter((property) => !mutable.includes(property))) {
    const value = name === survey.identityName ? absentLike(record, before[name]) : otherValue(before[name])
    const others = operation.method === 'put' ? pick(before, mutable) : {}
    const response = await record.write(operation, { ...others, [name]: value })
    const after = await record.read()
    if (after.status === 404) await record.trackRenamed(value, before)
    expect(after.status === 200 && isObject(after.json) && !isSame(after.json[name], value), () => ({
      expected: `"${name}" to remain ${JSON.stringify(before[name])}: it is immutable`,
      actual: after.status === 200 ? `it became ${JSON.stringify(value)}` : `a read then returned ${statusOf(after)}`,
      response,
    }))
  }
}

/** An ID that no record has, so that a faulty service changes none. */
function absentLike({ survey }: TrialRecord, knownIdentity: Json | undefined): Json {
  const absent = absentValue(survey.random, undefined, knownIdentity)
  return typeof knownIdentity === 'number' ? Number(absent) : absent
}

async function checkMalformed(record: TrialRecord): Promise<void> {
  await expectRejectedWrite(record, { text: '{"broken": ' }, 400, 'a body that is not valid JSON')
}

async function checkMediaType(record: TrialRecord): Promise<void> {
  const headers = { 'content-type': 'text/plain' }
  await expectRejectedWrite(record, { text: 'nomen-check', headers }, 415, 'a plain text body')
}

async function expectRejectedWrite(
  record: TrialRecord,
  overrides: Partial<CheckRequest>,
  expectedStatus: number,
  requestText: string,
): Promise<void> {
  const method = changeOperation(record).method.toUpperCase()
  const { path } = record.created
  const before = await record.read()
  const response = await record.send({ method, path, ...overrides })
  const after = await record.read()
  expect(isSame(before.json, after.json), () => ({
    expected: `no change by ${requestText}`,
    actual: 'the record changed',
    response,
  }))
  expectRejection(response, expectedStatus, requestText, true)
}

/** A missing record cannot be changed. */
async function checkMissing(record: TrialRecord): Promise<void> {
  record.expectCreated()
  const { survey } = record
  const update = offeredOperation(record, 'update')
  const before = await record.values()
  const [name, value] = record.changeOf(before)
  const absent = absentLike(record, before[survey.identityName])
  const path = `${await survey.listPath()}/${encodeURIComponent(`${absent}`)}`
  expectStatus(await record.send({ method: update.method.toUpperCase(), path, body: { [name]: value } }), 404)
}

async function checkDelete(record: TrialRecord): Promise<void> {
  const { path } = record.created
  expectStatus(await record.send({ method: 'DELETE', path, operation: record.survey.collection.remove }), 200)
  record.createdRecords.untrack(path)
}

async function checkGone(record: TrialRecord): Promise<void> {
  expectDeleted(record)
  expectStatus(await record.read(), 404)
}

async function checkSecondDelete(record: TrialRecord): Promise<void> {
  expectDeleted(record)
  const response = await record.send({ method: 'DELETE', path: record.created.path })
  expectStatus(response, 200, 404)
  record.createdRecords.deletedTwice.push(response)
  if (response.status === 200)
    throw new NotSpecified({ expected: 'status 404 for a second DELETE', actual: statusOf(response), response })
}

function expectDeleted({ createdRecords, created }: TrialRecord): void {
  if (createdRecords.isTracked(created.path)) throw new Skip('the record could not be deleted')
}

function offeredOperation({ survey }: TrialRecord, kind: 'update' | 'replace'): DocumentOperation {
  const operation = survey.collection[kind]
  if (!operation) throw new Skip(`${kind === 'update' ? 'PATCH' : 'PUT'} is not in the document`)
  return operation
}

function changeOperation({ survey: { collection } }: TrialRecord): DocumentOperation {
  const operation = collection.update ?? collection.replace
  if (!operation) throw new Skip('the document has neither PUT nor PATCH')
  return operation
}

function pick(record: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name] as Json]))
}

function expectValues(response: CheckResponse, values: JsonObject, explanation: string): void {
  const record = response.json
  if (response.status !== 200 || !isObject(record))
    throw new Fault({ expected: 'the record', actual: statusOf(response), response })
  for (const [name, value] of Object.entries(values)) {
    if (!(name in record)) continue
    expect(isSame(record[name], value), () => ({
      expected: `${name} ${JSON.stringify(value)}, ${explanation}`,
      actual: `it is ${JSON.stringify(record[name])}`,
      response,
    }))
  }
}

/** The order matters: each check uses the result of the previous one. */
export const writeSteps: readonly { readonly code: Code; readonly run: (record: TrialRecord) => Promise<void> }[] = [
  { code: 'create', run: (record) => record.make() },
  { code: 'create-location', run: checkLocation },
  { code: 'create-kept', run: checkStoredValues },
  { code: 'patch-subset', run: checkPatch },
  { code: 'put-complete', run: checkPut },
  { code: 'put-requires-all', run: checkIncompletePut },
  { code: 'update-full-record', run: checkFullRecord },
  { code: 'immutable-field', run: checkImmutableFields },
  { code: 'malformed-json', run: checkMalformed },
  { code: 'wrong-media-type', run: checkMediaType },
  { code: 'write-missing', run: checkMissing },
  { code: 'delete', run: checkDelete },
  { code: 'delete-gone', run: checkGone },
  { code: 'delete-twice', run: checkSecondDelete },
]
