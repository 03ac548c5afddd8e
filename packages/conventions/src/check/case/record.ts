/** Checks for single records: they match the list, by ID and by lookup. */

import { isObject } from '@nomen/core/openapi'
import type { JsonObject } from '../../document/read-document.ts'
import type { Check } from '../check.ts'
import { expect, expectStatus, Skip } from '../finding.ts'
import { absentValue } from '../request/absent-value.ts'
import type { CheckResponse } from '../request/exchange.ts'
import { isSame } from '../request/exchange.ts'
import { type Collection, lookupProperty, schemaAt } from '../surface.ts'
import type { Survey } from '../survey.ts'
import { isDefault, isText } from './filter.ts'

async function checkRead(survey: Survey): Promise<void> {
  const reads = await survey.readsById()
  if (reads.length === 0) throw new Skip('the list has no records')
  for (const { identity, item, response } of reads) {
    expectStatus(response, 200)
    const name = survey.identityName
    const actual = isObject(response.json) ? response.json[name] : undefined
    expect(isSame(actual, item[name]), () => ({
      expected: `${name} ${identity}`,
      actual: `it is ${JSON.stringify(actual) ?? 'missing'}`,
      response,
    }))
  }
}

async function checkMissing(survey: Survey): Promise<void> {
  const { records } = await survey.visitedRecords()
  const name = survey.identityName
  const schema = schemaAt(survey.collection.item, name) ?? schemaAt(survey.collection.detail, name)
  expectStatus(await survey.readOne(absentValue(survey.random, schema, records[0]?.[name])), 404)
}

async function checkListInDetail(survey: Survey): Promise<void> {
  for (const { item, detail, response } of await samplesOf(survey))
    for (const name of Object.keys(item))
      expect(name in detail, () => ({
        expected: `the single record to have "${name}", like the list`,
        actual: `it has ${Object.keys(detail).join(', ')}`,
        response,
      }))
}

async function checkListAgrees(survey: Survey): Promise<void> {
  for (const { item, detail, response } of await samplesOf(survey))
    expectSameValues(survey, item, detail, response, 'the list has')
}

function expectSameValues(
  survey: Survey,
  expected: JsonObject,
  actual: JsonObject,
  response: CheckResponse,
  source: string,
): void {
  for (const name of Object.keys(expected)) {
    if (!(name in actual) || !survey.hasSameTypeInList(name)) continue
    expect(isSame(expected[name], actual[name]), () => ({
      expected: `${name} ${JSON.stringify(expected[name])}, which ${source}`,
      actual: `it is ${JSON.stringify(actual[name])}`,
      response,
    }))
  }
}

async function samplesOf(survey: Survey) {
  const samples = await survey.samples()
  if (samples.length === 0) throw new Skip('the list has no records')
  return samples
}

/** A summary has only properties of the default list, a detail list has all of them. */
async function checkVariantShape(survey: Survey): Promise<void> {
  const { base, kind } = baseOf(survey)
  const [variant] = (await survey.visitedRecords()).records
  const [basic] = (await base.visitedRecords()).records
  if (!variant || !basic) throw new Skip('the list has no records')
  const [small, large] = kind === 'summary' ? [variant, basic] : [basic, variant]
  const { response } = await survey.firstPage()
  const extra = Object.keys(small).filter((name) => !(name in large))
  expect(extra.length === 0, () => ({
    expected: kind === 'summary' ? 'only properties of the default list' : 'every property of the default list',
    actual: `${extra.join(', ')} ${kind === 'summary' ? 'is not in the default list' : 'is missing'}`,
    response,
  }))
}

async function checkVariantAgrees(survey: Survey): Promise<string | undefined> {
  const { base } = baseOf(survey)
  const variantWalk = await survey.visitedRecords()
  const baseWalk = await base.visitedRecords()
  const [first, basic] = [await survey.firstPage(), await base.firstPage()]
  const [count, basicCount] = [first, basic].map(({ info, results }) => info?.numberOfRecords ?? results.length)
  expect(count === basicCount, () => ({
    expected: `${basicCount} records, as in the default list`,
    actual: `${count} records`,
    response: first.response,
  }))
  if (variantWalk.isWhole && baseWalk.isWhole)
    expectSameRecords(survey, baseWalk.records, variantWalk.records, first.response)
  else
    for (const { requested, results } of survey.random.sample(baseWalk.pages, 3)) {
      const page = await survey.readPage([
        ['pageNumber', `${requested.pageNumber}`],
        ['pageSize', `${requested.pageSize}`],
      ])
      expectSameRecords(survey, results, page.results, page.response)
    }
  return variantWalk.note
}

function expectSameRecords(
  survey: Survey,
  basic: readonly JsonObject[],
  variants: readonly JsonObject[],
  response: CheckResponse,
): void {
  for (const [index, record] of variants.entries())
    expectSameValues(survey, basic[index] ?? {}, record, response, 'the default list has')
}

function baseOf(survey: Survey): { base: Survey; kind: 'summary' | 'detail' } {
  const { variantOf } = survey.collection
  const base = variantOf && survey.context.surveyAt(variantOf.path)
  if (!base || !variantOf) throw new Skip('the document has no default list')
  return { base, kind: variantOf.kind }
}

async function checkLookup(survey: Survey): Promise<void> {
  const samples = await samplesOf(survey)
  const lookups = lookupsWithProperty(survey).map(({ name, ...lookup }) => {
    return { ...lookup, name, records: samples.filter(({ detail }) => isText(detail[name])) }
  })
  if (lookups.every(({ records }) => records.length === 0))
    throw new Skip(`no record has a ${lookups.map(({ name }) => name).join(' or ')}`)
  for (const { operation, field, name, records } of lookups) {
    for (const { detail } of records) {
      const response = await survey.sender.get(await lookupPath(survey, field, `${detail[name]}`), [], operation)
      expectStatus(response, 200)
      expect(isSame(response.json, detail), () => ({
        expected: `the record ${survey.identityOf(detail)}, as by its ID`,
        actual: `it is ${response.text.slice(0, 200)}`,
        response,
      }))
    }
  }
}

async function checkLookupMissing(survey: Survey): Promise<void> {
  const [sample] = await samplesOf(survey)
  for (const { operation, field, name } of lookupsWithProperty(survey)) {
    const value = absentValue(survey.random, schemaAt(survey.collection.detail, name), sample?.detail[name])
    expectStatus(await survey.sender.get(await lookupPath(survey, field, value), [], operation), 404)
  }
}

async function lookupPath(survey: Survey, field: string, value: string): Promise<string> {
  return `${await survey.listPath()}/by-${field}/${encodeURIComponent(value)}`
}

/** The lookups by a property of the single record, with its name. */
function lookupsWithProperty({ collection }: Survey) {
  const lookups = collection.lookups.flatMap((lookup) => {
    const name = lookupProperty(collection, lookup)
    return name === undefined ? [] : [{ ...lookup, name }]
  })
  if (lookups.length === 0)
    throw new Skip(
      `the single record has no property for by-${collection.lookups.map(({ field }) => field).join(' or by-')}`,
    )
  return lookups
}

const skipWithoutRead = ({ collection: { read, path } }: Survey) =>
  read ? undefined : `the document has no GET ${path}/{…}`
const isVariant = ({ variantOf }: Collection) => variantOf !== undefined
const hasLookups = ({ lookups }: Collection) => lookups.length > 0

export const recordChecks: readonly Check[] = [
  { code: 'read', appliesTo: isDefault, skipReason: skipWithoutRead, run: checkRead },
  { code: 'read-missing', appliesTo: isDefault, skipReason: skipWithoutRead, run: checkMissing },
  { code: 'list-in-detail', appliesTo: isDefault, skipReason: skipWithoutRead, run: checkListInDetail },
  { code: 'list-agrees', appliesTo: isDefault, skipReason: skipWithoutRead, run: checkListAgrees },
  { code: 'variant-shape', appliesTo: isVariant, run: checkVariantShape },
  { code: 'variant-agrees', appliesTo: isVariant, run: checkVariantAgrees },
  { code: 'lookup', appliesTo: hasLookups, skipReason: skipWithoutRead, run: checkLookup },
  { code: 'lookup-missing', appliesTo: hasLookups, skipReason: skipWithoutRead, run: checkLookupMissing },
]
