/** Checks of single records: they are what the list shows, by whatever path they are read. */
import { isObject } from '@nomen/core/openapi'
import type { JsonObject } from '../../document/read-document.ts'
import type { Check } from '../check.ts'
import { expect, expectStatus, Skip } from '../finding.ts'
import type { Answer } from '../request/exchange.ts'
import { isSame } from '../request/exchange.ts'
import { type Collection, schemaAt } from '../surface.ts'
import type { Survey } from '../survey.ts'
import { isDefault } from './filter.ts'

async function byIdentity(survey: Survey): Promise<void> {
  const { records } = await survey.known()
  if (records.length === 0) throw new Skip('it has no records')
  for (const record of survey.random.some(records, 4)) {
    const identity = survey.identityOf(record)
    const answer = await survey.readOne(identity)
    expectStatus(answer, 200)
    const name = survey.identityName
    const actual = isObject(answer.json) ? answer.json[name] : undefined
    expect(isSame(actual, record[name]), () => ({
      expected: `${name} ${identity}`,
      actual: `it is ${JSON.stringify(actual) ?? 'missing'}`,
      answer,
    }))
  }
}

async function missing(survey: Survey): Promise<void> {
  const { records } = await survey.known()
  const name = survey.identityName
  const schema = schemaAt(survey.collection.item, name) ?? schemaAt(survey.collection.detail, name)
  expectStatus(await survey.readOne(survey.absentValue(schema, records[0]?.[name])), 404)
}

async function withinDetail(survey: Survey): Promise<void> {
  for (const { item, detail, answer } of await someOf(survey))
    for (const name of Object.keys(item))
      expect(name in detail, () => ({
        expected: `the single record to have "${name}", since the list shows it`,
        actual: `it has ${Object.keys(detail).join(', ')}`,
        answer,
      }))
}

async function agrees(survey: Survey): Promise<void> {
  for (const { item, detail, answer } of await someOf(survey))
    expectSameValues(survey, item, detail, answer, 'the list shows')
}

function expectSameValues(survey: Survey, given: JsonObject, other: JsonObject, answer: Answer, who: string): void {
  for (const name of Object.keys(given)) {
    if (!(name in other) || !survey.isAlike(name)) continue
    expect(isSame(given[name], other[name]), () => ({
      expected: `${name} ${JSON.stringify(given[name])}, which ${who}`,
      actual: `it is ${JSON.stringify(other[name])}`,
      answer,
    }))
  }
}

async function someOf(survey: Survey) {
  const samples = await survey.samples()
  if (samples.length === 0) throw new Skip('it has no records')
  return samples
}

/** A summary shows no more than the default list, a detail list no less. */
async function variantShape(survey: Survey): Promise<void> {
  const { base, kind } = baseOf(survey)
  const [own] = (await survey.known()).records
  const [other] = (await base.known()).records
  if (!own || !other) throw new Skip('it has no records')
  const [small, large] = kind === 'summary' ? [own, other] : [other, own]
  const { answer } = await survey.first()
  const extra = Object.keys(small).filter((name) => !(name in large))
  expect(extra.length === 0, () => ({
    expected: kind === 'summary' ? 'no property that the default list lacks' : 'every property of the default list',
    actual: `${extra.join(', ')} ${kind === 'summary' ? 'is only here' : 'is missing'}`,
    answer,
  }))
}

async function variantAgrees(survey: Survey): Promise<string | undefined> {
  const { base } = baseOf(survey)
  const own = await survey.known()
  const other = await base.known()
  const [first, basic] = [await survey.first(), await base.first()]
  const [count, basicCount] = [first, basic].map(({ info, results }) => info?.numberOfRecords ?? results.length)
  expect(count === basicCount, () => ({
    expected: `${basicCount} records, as in the default list`,
    actual: `there are ${count}`,
    answer: first.answer,
  }))
  if (own.isWhole && other.isWhole) expectSameRecords(survey, other.records, own.records, first.answer)
  else
    for (const { asked, results } of survey.random.some(other.pages, 3)) {
      const page = await survey.page([
        ['pageNumber', `${asked.pageNumber}`],
        ['pageSize', `${asked.pageSize}`],
      ])
      expectSameRecords(survey, results, page.results, page.answer)
    }
  return own.note
}

function expectSameRecords(
  survey: Survey,
  basic: readonly JsonObject[],
  own: readonly JsonObject[],
  answer: Answer,
): void {
  for (const [at, record] of own.entries())
    expectSameValues(survey, basic[at] ?? {}, record, answer, 'the default list shows')
}

function baseOf(survey: Survey): { base: Survey; kind: 'summary' | 'detail' } {
  const { variantOf } = survey.collection
  const base = variantOf && survey.world.surveyAt(variantOf.path)
  if (!base || !variantOf) throw new Skip('its default list is not offered')
  return { base, kind: variantOf.kind }
}

async function lookup(survey: Survey): Promise<void> {
  for (const { operation, field } of survey.collection.lookups) {
    const name = propertyOf(survey, field)
    const usable = (await someOf(survey)).filter(({ detail }) => detail[name] !== null && detail[name] !== '')
    if (usable.length === 0) throw new Skip(`no record that was read has a ${name}`)
    for (const { detail } of usable.slice(0, 3)) {
      const answer = await survey.sender.get(await lookupPath(survey, field, `${detail[name]}`), [], operation)
      expectStatus(answer, 200)
      expect(isSame(answer.json, detail), () => ({
        expected: `the record ${survey.identityOf(detail)}, just as it is read by its identity`,
        actual: `it is ${answer.text.slice(0, 200)}`,
        answer,
      }))
    }
  }
}

async function lookupMissing(survey: Survey): Promise<void> {
  for (const { operation, field } of survey.collection.lookups) {
    const name = propertyOf(survey, field)
    const [sample] = await someOf(survey)
    const value = survey.absentValue(schemaAt(survey.collection.detail, name), sample?.detail[name])
    expectStatus(await survey.sender.get(await lookupPath(survey, field, value), [], operation), 404)
  }
}

async function lookupPath(survey: Survey, field: string, value: string): Promise<string> {
  return `${await survey.place()}/by-${field}/${encodeURIComponent(value)}`
}

/** `external-id` is the property `externalId`. */
function propertyOf({ collection: { detail } }: Survey, field: string): string {
  const plain = (text: string) => text.replaceAll(/[^a-z\d]/gi, '').toLowerCase()
  const found = [...(detail?.properties.keys() ?? [])].find((name) => plain(name) === plain(field))
  if (found === undefined) throw new Skip(`the single record shows no property for by-${field}`)
  return found
}

const single = ({ collection: { read, path } }: Survey) => (read ? undefined : `the document offers no GET ${path}/{…}`)
const isVariant = ({ variantOf }: Collection) => variantOf !== undefined
const isSought = ({ lookups }: Collection) => lookups.length > 0

export const recordChecks: readonly Check[] = [
  { code: 'read', isMeant: isDefault, unfit: single, run: byIdentity },
  { code: 'read-missing', isMeant: isDefault, unfit: single, run: missing },
  { code: 'list-in-detail', isMeant: isDefault, unfit: single, run: withinDetail },
  { code: 'list-agrees', isMeant: isDefault, unfit: single, run: agrees },
  { code: 'variant-shape', isMeant: isVariant, run: variantShape },
  { code: 'variant-agrees', isMeant: isVariant, run: variantAgrees },
  { code: 'lookup', isMeant: isSought, unfit: single, run: lookup },
  { code: 'lookup-missing', isMeant: isSought, unfit: single, run: lookupMissing },
]
