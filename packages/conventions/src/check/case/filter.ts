/** Checks for filters: one value, several values, several filters, and names. */

import type { Json, JsonObject } from '../../document/read-document.ts'
import type { Check } from '../check.ts'
import { expect, Fault, Skip } from '../finding.ts'
import { absentValue } from '../request/absent-value.ts'
import type { CheckResponse, Query } from '../request/exchange.ts'
import { isSame } from '../request/exchange.ts'
import { type Collection, schemaAt } from '../surface.ts'
import type { Survey } from '../survey.ts'

/** Parameters of a list that are not filters. */
const nonFilters = new Set(['pageNumber', 'pageSize', 'include', 'sort', 'search'])
/** Maximum number of filters to check per list. */
const maxFilters = 12

/** The first page of a list for a query. */
export interface FirstPage {
  readonly response: CheckResponse
  readonly results: readonly JsonObject[]
  readonly identities: readonly string[]
  readonly total: number
  readonly isWhole: boolean
}

export async function filteredPage(survey: Survey, query: Query): Promise<FirstPage> {
  const size = Math.min(survey.maximumSize ?? 100, 100)
  const pagedQuery: Query = survey.collection.isPaginated ? [...query, ['pageSize', `${size}`]] : query
  const { results, info, response } = await survey.readPage(pagedQuery)
  const total = info?.numberOfRecords ?? results.length
  const identities = results.map((record) => survey.identityOf(record))
  return { response, results, identities, total, isWhole: total === results.length }
}

/** A filter with two records: the first has the value, the second does not. */
export interface Contrast {
  readonly name: string
  readonly value: string
  readonly otherValue: string
  readonly raw: Json
  readonly matching: string
  readonly notMatching: string
}

type SampledRecord = Awaited<ReturnType<Survey['sampledRecords']>>[number]

/** The filters for which the known records have two different values. */
export async function contrasts(survey: Survey): Promise<Contrast[]> {
  const samples = await survey.sampledRecords()
  if (samples.length < 2) throw new Skip('the list has fewer than 2 records')
  const pairs = filterNames(survey).flatMap((name): Contrast[] => {
    const [matching, notMatching] = recordsWithDifferentValues(samples, name)
    if (!matching || !notMatching) return []
    const raw = matching.detail[name] as Json
    const otherValue = `${notMatching.detail[name]}`
    return [{ name, raw, value: `${raw}`, otherValue, matching: matching.identity, notMatching: notMatching.identity }]
  })
  if (pairs.length === 0) throw new Skip('every filterable property has the same value in all sampled records')
  return survey.random.sample(pairs, maxFilters)
}

function filterNames({ collection: { list, detail, item } }: Survey): string[] {
  const properties = (detail ?? item)?.properties ?? new Map()
  return list.parameters
    .filter(
      (parameter) => parameter.in === 'query' && properties.has(parameter.name) && !nonFilters.has(parameter.name),
    )
    .map(({ name }) => name)
}

function recordsWithDifferentValues(
  samples: readonly SampledRecord[],
  name: string,
): [SampledRecord | undefined, SampledRecord | undefined] {
  const usable = samples.filter(({ detail }) => isText(detail[name]))
  const [first] = usable
  return [first, usable.find(({ detail }) => `${detail[name]}` !== `${first?.detail[name]}`)]
}

/** Whether a value has an unambiguous form in a URL. */
export function isText(value: Json | undefined): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean'
}

/** Filters by values of the known records; each of these records must be in the results of its value, and in no others. */
async function checkEqual(survey: Survey): Promise<void> {
  const { records, isWhole } = await survey.visitedRecords()
  const samples = await survey.sampledRecords()
  await contrasts(survey)
  for (const { name, raw } of chosenValues(survey, samples)) {
    const page = await filteredPage(survey, [[name, `${raw}`]])
    for (const { identity, detail } of samples) {
      if (!isSame(detail[name], raw)) expectAbsent(page, identity, `it has another ${name}`)
      else if (page.isWhole) expectPresent(page, identity, `its ${name} is ${raw}`)
    }
    if (!survey.hasSameTypeInList(name)) continue
    const mismatch = page.results.find((record) => !isSame(record[name], raw))
    expect(mismatch === undefined, () => ({
      expected: `only records with ${name} ${raw}`,
      actual: `record ${mismatch && survey.identityOf(mismatch)} has ${JSON.stringify(mismatch?.[name])}`,
      response: page.response,
    }))
    const count = records.filter((record) => isSame(record[name], raw)).length
    expect(!isWhole || page.total === count, () => ({
      expected: `${count} records, the number of records with this ${name}`,
      actual: `${page.total} records`,
      response: page.response,
    }))
  }
}

/**
 * Values of the records for filters that can distinguish records: one of each filter, then all values of the filters with the
 * fewest, because each record has one of them.
 */
function chosenValues(
  survey: Survey,
  samples: readonly SampledRecord[],
): { readonly name: string; readonly raw: Json }[] {
  const filters = filterNames(survey).flatMap((name) => {
    const values = new Set(samples.map(({ detail }) => detail[name]).filter(isText))
    return values.size < 2 ? [] : [[...values].map((raw) => ({ name, raw: raw as Json }))]
  })
  const first = filters.flatMap((pairs) => survey.random.sample(pairs, 1))
  const others = filters.toSorted((a, b) => a.length - b.length).flat()
  return [...new Set([...first, ...others])].slice(0, survey.context.sampleSize)
}

async function checkAnyOf(survey: Survey): Promise<void> {
  for (const { name, value, otherValue, matching, notMatching } of await contrasts(survey)) {
    const first = await filteredPage(survey, [[name, value]])
    const second = await filteredPage(survey, [[name, otherValue]])
    const filtered = await filteredPage(survey, [
      [name, value],
      [name, otherValue],
    ])
    const total = first.total + second.total
    expect(filtered.total === total, () => ({
      expected: `${total} records: ${first.total} with ${name}=${value} and ${second.total} with ${name}=${otherValue}`,
      actual: `${filtered.total} records`,
      response: filtered.response,
    }))
    if (!filtered.isWhole) continue
    expectPresent(filtered, matching, `its ${name} is ${value}`)
    expectPresent(filtered, notMatching, `its ${name} is ${otherValue}`)
  }
}

/** Two filters that each exclude a record of the other: together they return neither. */
async function checkAllOf(survey: Survey): Promise<void> {
  const samples = await survey.sampledRecords()
  const names = (await contrasts(survey)).map(({ name }) => name)
  const pairs = names.flatMap((first, index) => names.slice(index + 1).map((other) => [first, other] as const))
  const checkedPairs = survey.random.sample(pairs, 4)
  let count = 0
  for (const [name, otherName] of checkedPairs) {
    const [first, second] = recordsThatDifferInBoth(samples, name, otherName)
    if (!first || !second) continue
    count++
    const query: Query = [
      [name, `${first.detail[name]}`],
      [otherName, `${second.detail[otherName]}`],
    ]
    const page = await filteredPage(survey, query)
    expectAbsent(page, first.identity, `it has another ${otherName}`)
    expectAbsent(page, second.identity, `it has another ${name}`)
  }
  if (count === 0) throw new Skip('no two sampled records differ in two filterable properties')
}

function recordsThatDifferInBoth(
  samples: readonly SampledRecord[],
  name: string,
  otherName: string,
): [SampledRecord?, SampledRecord?] {
  for (const first of samples)
    for (const second of samples) {
      const differsIn = (property: string) =>
        isText(first.detail[property]) &&
        isText(second.detail[property]) &&
        !isSame(first.detail[property] as Json, second.detail[property] as Json)
      if (differsIn(name) && differsIn(otherName)) return [first, second]
    }
  return []
}

/** A service may reject other strings in filters of these formats. */
const strictFormats: readonly unknown[] = ['date', 'date-time', 'time', 'decimal']

async function checkNoMatch(survey: Survey): Promise<void> {
  const schemaOf = (name: string) => schemaAt(survey.collection.detail, name)
  const textFilter = (await contrasts(survey)).find(({ raw, name }) => {
    const schema = schemaOf(name)
    return typeof raw === 'string' && !schema?.enum && !strictFormats.includes(schema?.format)
  })
  if (!textFilter) throw new Skip('no filter accepts free text')
  const page = await filteredPage(survey, [
    [textFilter.name, absentValue(survey.random, schemaOf(textFilter.name), '')],
  ])
  expect(page.total === 0 && page.results.length === 0, () => ({
    expected: 'no records, because none has this value',
    actual: `numberOfRecords ${page.total} and ${page.results.length} results`,
    response: page.response,
  }))
}

/** A filter on a property has its name. Other filters may have any name. */
async function checkNames({ collection }: Survey): Promise<string | undefined> {
  const { list, detail, item } = collection
  const properties = [...((detail ?? item)?.properties.keys() ?? [])]
  const otherFilters: string[] = []
  for (const { name, in: location } of list.parameters) {
    if (location !== 'query' || nonFilters.has(name) || properties.includes(name)) continue
    const property = properties.find((candidate) => isShortFor(name, candidate))
    if (property !== undefined)
      throw new Fault({ expected: `the parameter "${property}", like the property`, actual: `it is "${name}"` })
    otherFilters.push(name)
  }
  return otherFilters.length > 0 ? `also filtered by ${otherFilters.join(', ')}` : undefined
}

/** `lastname`, `last_name`, `last` and `userLastName` all refer to `lastName`. */
function isShortFor(name: string, property: string): boolean {
  const [a, b] = [name, property].map((text) => text.replaceAll(/[^a-z\d]/gi, '').toLowerCase()) as [string, string]
  return a === b || (a.length >= 3 && b.startsWith(a)) || (b.length >= 4 && a.endsWith(b))
}

function expectPresent({ identities, response }: FirstPage, identity: string, explanation: string): void {
  expect(identities.includes(identity), () => ({
    expected: `record ${identity} in the results: ${explanation}`,
    actual: 'it is missing',
    response,
  }))
}

function expectAbsent({ identities, response }: FirstPage, identity: string, explanation: string): void {
  expect(!identities.includes(identity), () => ({
    expected: `record ${identity} not in the results: ${explanation}`,
    actual: 'it is in the results',
    response,
  }))
}

const skipWithoutFilter = (survey: Survey) =>
  filterNames(survey).length === 0 ? 'the list has no filter on a property' : undefined

/** Variants have the records, filters and errors of the default list. */
export const isDefault = ({ variantOf }: Collection) => variantOf === undefined

export const filterChecks: readonly Check[] = [
  { code: 'filter-equal', appliesTo: isDefault, skipReason: skipWithoutFilter, run: checkEqual },
  { code: 'filter-any-of', appliesTo: isDefault, skipReason: skipWithoutFilter, run: checkAnyOf },
  { code: 'filter-all-of', appliesTo: isDefault, skipReason: skipWithoutFilter, run: checkAllOf },
  { code: 'filter-none', appliesTo: isDefault, skipReason: skipWithoutFilter, run: checkNoMatch },
  { code: 'filter-name', appliesTo: isDefault, run: checkNames },
]
