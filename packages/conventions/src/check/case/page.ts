/** Checks for pagination: the envelope, its totals, and all pages. */
import type { PageInfo } from '@nomen/core'
import type { JsonObject } from '../../document/read-document.ts'
import type { Check } from '../check.ts'
import { expect, expectStatus, Fault, NotSpecified, Skip, statusOf } from '../finding.ts'
import type { Query } from '../request/exchange.ts'
import { isSame } from '../request/exchange.ts'
import { type Page, pageFault } from '../request/page.ts'
import type { Collection } from '../surface.ts'
import type { Survey } from '../survey.ts'
import { type Walk, walkPages } from '../walk.ts'

/** A list has an envelope; only below a parent it may be a plain array. */
async function checkEnvelope(survey: Survey): Promise<void> {
  const { isPaginated, isNested } = survey.collection
  const response = await survey.getList()
  expectStatus(response, 200)
  const fault = pageFault(response, isPaginated || !isNested)
  if (fault) throw new Fault(fault)
}

async function checkArithmetic(survey: Survey): Promise<void> {
  const { pages } = await survey.walk()
  for (const { info, results, requested, response } of pages as Paginated[]) {
    const number = Math.ceil(info.numberOfRecords / info.pageSize)
    expect(info.numberOfPages === number, () => ({
      expected: `numberOfPages ${number} for ${info.numberOfRecords} records with pageSize ${info.pageSize}`,
      actual: `it is ${info.numberOfPages}`,
      response,
    }))
    const length = Math.min(
      Math.max(info.numberOfRecords - (requested.pageNumber - 1) * requested.pageSize, 0),
      requested.pageSize,
    )
    expect(results.length === length, () => ({
      expected: `${length} results on page ${requested.pageNumber} of ${info.numberOfRecords} records with pageSize ${requested.pageSize}`,
      actual: `${results.length} results`,
      response,
    }))
  }
}

type Paginated = Walk['pages'][number] & { readonly info: PageInfo }

async function checkEcho(survey: Survey): Promise<void> {
  const { pages } = await survey.walk()
  for (const { info, requested, response } of pages as Paginated[])
    for (const name of ['pageSize', 'pageNumber'] as const)
      expect(info[name] === requested[name], () => ({
        expected: `pageInfo.${name} ${requested[name]}, as requested`,
        actual: `it is ${info[name]}`,
        response,
      }))
}

async function checkEachOnce(survey: Survey): Promise<string | undefined> {
  return expectEachOnce(survey, await survey.walk())
}

/** Each record is on one page, and numberOfRecords is their number. */
function expectEachOnce(survey: Survey, { pages, isWhole, note }: Walk): string | undefined {
  const pageByIdentity = new Map<string, number>()
  for (const { results, requested, response } of pages) {
    for (const record of results) {
      const identity = survey.identityOf(record)
      const before = pageByIdentity.get(identity)
      expect(before === undefined, () => ({
        expected: `record ${identity} on one page only`,
        actual: `it is on page ${before} and on page ${requested.pageNumber}`,
        response,
      }))
      pageByIdentity.set(identity, requested.pageNumber)
    }
  }
  for (const { info, response } of pages as Paginated[])
    expect(!isWhole || info.numberOfRecords === pageByIdentity.size, () => ({
      expected: `numberOfRecords ${pageByIdentity.size}, the number of records on all pages`,
      actual: `it is ${info.numberOfRecords}`,
      response,
    }))
  return note
}

/** Pages of another size have the same records in the same order. */
async function checkOrder(survey: Survey): Promise<string | undefined> {
  const first = await survey.visitedRecords()
  if (!first.isWhole) return checkHalves(survey, first)
  const second = await walkPages(survey, { pageCount: 3 })
  expectSameOrder(survey, first.records, second)
  return undefined
}

/** For a long list, requests some pages again as two halves. */
async function checkHalves(survey: Survey, { pages, note }: Walk): Promise<string | undefined> {
  for (const { requested, results } of survey.random.sample(pages, 3)) {
    const pageSize = requested.pageSize / 2
    if (!Number.isInteger(pageSize)) throw new Skip(`${note}, and pageSize ${requested.pageSize} is odd`)
    const halfPages: Walk['pages'][number][] = []
    for (const pageNumber of [requested.pageNumber * 2 - 1, requested.pageNumber * 2]) {
      const page = await survey.page([
        ['pageNumber', `${pageNumber}`],
        ['pageSize', `${pageSize}`],
      ])
      halfPages.push({ ...page, requested: { pageNumber, pageSize } })
    }
    const records = halfPages.flatMap((page) => page.results)
    expectSameOrder(survey, results, { pages: halfPages, records, isWhole: false, note })
  }
  return note
}

function expectSameOrder(survey: Survey, before: readonly JsonObject[], { pages, records }: Walk): void {
  const firstDifference = before.findIndex((record, index) => !isSame(record, records[index]))
  const page =
    pages.find(({ requested }) => firstDifference < requested.pageNumber * requested.pageSize) ?? pages.at(-1)
  const name = (record: JsonObject | undefined) => (record ? survey.identityOf(record) : 'nothing')
  if (page)
    expect(firstDifference === -1, () => ({
      expected: `record ${name(before[firstDifference])} at position ${firstDifference + 1}, independent of pageSize`,
      actual: `record ${name(records[firstDifference])}`,
      response: page.response,
    }))
}

/** Checks all pages of a list that is sorted by a property with many equal values. */
async function checkSorted(survey: Survey): Promise<string | undefined> {
  const { records, isWhole } = await survey.visitedRecords()
  if (records.length < 2) throw new Skip('the list has fewer than 2 records')
  const [first] = records
  const names = Object.keys(first ?? {}).filter((name) => typeof first?.[name] !== 'object')
  const countDifferent = (name: string) => new Set(records.map((record) => record[name])).size
  const [name = survey.identityName] = names.sort((a, b) => countDifferent(a) - countDifferent(b))
  let note: string | undefined
  for (const value of [name, `-${name}`]) {
    const walk = await walkPages(survey, { query: [['sort', value]] })
    note = expectEachOnce(survey, walk)
    const response = walk.pages[0]?.response
    expect(!isWhole || walk.records.length === records.length || !response, () => ({
      expected: `${records.length} records, as without sort`,
      actual: `${walk.records.length} records with sort=${value}`,
      ...(response && { response }),
    }))
  }
  return note
}

/** Both parameters are optional. */
async function checkDefaults(survey: Survey): Promise<void> {
  const { info, results } = (await survey.first()) as Page & { info: PageInfo }
  const size = info.pageSize
  const explicitPage = await survey.page([
    ['pageNumber', '1'],
    ['pageSize', `${size}`],
  ])
  const requests: readonly (readonly [Query, Partial<PageInfo>])[] = [
    [[], { pageNumber: 1 }],
    [[['pageSize', '3']], { pageNumber: 1, pageSize: 3 }],
    // After the last page, a service may respond with an error.
    ...(info.numberOfRecords > size ? [[[['pageNumber', '2']], { pageNumber: 2, pageSize: size }] as const] : []),
  ]
  for (const [query, expected] of requests) {
    const page = await survey.page(query)
    for (const [name, value] of Object.entries(expected))
      expect(page.info?.[name as keyof PageInfo] === value, () => ({
        expected: `pageInfo.${name} ${value}`,
        actual: `it is ${page.info?.[name as keyof PageInfo]}`,
        response: page.response,
      }))
    const firstIndex = ((expected.pageNumber ?? 1) - 1) * size
    const length = Math.min(expected.pageSize ?? size, Math.max(info.numberOfRecords - firstIndex, 0))
    expect(page.results.length === length, () => ({
      expected: `${length} results`,
      actual: `${page.results.length} results`,
      response: page.response,
    }))
  }
  expect(isSame(explicitPage.results, results), () => ({
    expected: 'the same page with and without the default parameters',
    actual: 'the records differ',
    response: explicitPage.response,
  }))
}

async function checkUsualSize(survey: Survey): Promise<void> {
  const { info, response } = await survey.first()
  if (info?.pageSize !== 10)
    throw new NotSpecified({ expected: 'a default pageSize of 10', actual: `it is ${info?.pageSize}`, response })
}

/** A page after the last one has no results; the status is not specified. */
async function checkPastEnd(survey: Survey): Promise<void> {
  const { info } = await survey.first()
  const number = Math.ceil((info?.numberOfRecords ?? 0) / 10) + 5
  const response = await survey.getList([
    ['pageNumber', `${number}`],
    ['pageSize', '10'],
  ])
  if (response.status >= 400 && response.status < 500)
    throw new NotSpecified({
      expected: 'status 200 and no results after the last page',
      actual: statusOf(response),
      response,
    })
  expectStatus(response, 200)
  const results = (response.json as { results?: unknown[] } | undefined)?.results ?? []
  expect(results.length === 0, () => ({
    expected: `no results on page ${number}, which is after the last page`,
    actual: `${results.length} results`,
    response,
  }))
}

const isPaginated = (collection: Collection) => collection.isPaginated
const skipWithoutSort = ({ collection }: Survey) =>
  collection.list.parameters.some(({ name }) => name === 'sort') ? undefined : 'the list has no parameter sort'

export const pageChecks: readonly Check[] = [
  { code: 'envelope', run: checkEnvelope },
  { code: 'page-arithmetic', appliesTo: isPaginated, run: checkArithmetic },
  { code: 'page-echo', appliesTo: isPaginated, run: checkEcho },
  { code: 'page-walk', appliesTo: isPaginated, run: checkEachOnce },
  { code: 'page-order', appliesTo: isPaginated, run: checkOrder },
  { code: 'page-sorted', appliesTo: isPaginated, skipReason: skipWithoutSort, run: checkSorted },
  { code: 'page-default', appliesTo: isPaginated, run: checkDefaults },
  { code: 'page-size', appliesTo: isPaginated, run: checkUsualSize },
  { code: 'page-past-end', appliesTo: isPaginated, run: checkPastEnd },
]
