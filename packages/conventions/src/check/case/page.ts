/** Checks of pages: the envelope, its arithmetic, and a walk over all of them. */
import type { JsonObject } from '../../document/read-document.ts'
import type { Check } from '../check.ts'
import { expect, expectStatus, Fault, OpenPoint, Skip, statusOf } from '../finding.ts'
import type { Query } from '../request/exchange.ts'
import { isSame } from '../request/exchange.ts'
import { type Page, type PageInfo, pageFault } from '../request/page.ts'
import type { Collection } from '../surface.ts'
import type { Survey } from '../survey.ts'
import { type Walk, walkPages } from '../walk.ts'

/** A list has an envelope, unless it is a plain array below a parent. */
async function envelope(survey: Survey): Promise<void> {
  const { isPaginated, isNested } = survey.collection
  const answer = await survey.ask()
  expectStatus(answer, 200)
  const fault = pageFault(answer, isPaginated || !isNested)
  if (fault) throw new Fault(fault)
}

async function arithmetic(survey: Survey): Promise<void> {
  const { pages } = await survey.walk()
  for (const { info, results, asked, answer } of pages as Paginated[]) {
    const number = Math.ceil(info.numberOfRecords / info.pageSize)
    expect(info.numberOfPages === number, () => ({
      expected: `numberOfPages ${number}, for ${info.numberOfRecords} records on pages of ${info.pageSize}`,
      actual: `it is ${info.numberOfPages}`,
      answer,
    }))
    const length = Math.min(Math.max(info.numberOfRecords - (asked.pageNumber - 1) * asked.pageSize, 0), asked.pageSize)
    expect(results.length === length, () => ({
      expected: `${length} results on page ${asked.pageNumber} of ${info.numberOfRecords} records in ${asked.pageSize}s`,
      actual: `there are ${results.length}`,
      answer,
    }))
  }
}

type Paginated = Walk['pages'][number] & { readonly info: PageInfo }

async function echo(survey: Survey): Promise<void> {
  const { pages } = await survey.walk()
  for (const { info, asked, answer } of pages as Paginated[])
    for (const name of ['pageSize', 'pageNumber'] as const)
      expect(info[name] === asked[name], () => ({
        expected: `pageInfo.${name} ${asked[name]}, as asked`,
        actual: `it is ${info[name]}`,
        answer,
      }))
}

async function eachOnce(survey: Survey): Promise<string | undefined> {
  return judgeWalk(survey, await survey.walk())
}

/** Each record on one page, and as many of them as numberOfRecords says. */
function judgeWalk(survey: Survey, { pages, isWhole, note }: Walk): string | undefined {
  const seen = new Map<string, number>()
  for (const { results, asked, answer } of pages) {
    for (const record of results) {
      const identity = survey.identityOf(record)
      const before = seen.get(identity)
      expect(before === undefined, () => ({
        expected: `record ${identity} on one page only`,
        actual: `it is on page ${before} and on page ${asked.pageNumber}`,
        answer,
      }))
      seen.set(identity, asked.pageNumber)
    }
  }
  for (const { info, answer } of pages as Paginated[])
    expect(!isWhole || info.numberOfRecords === seen.size, () => ({
      expected: `numberOfRecords ${seen.size}, as many as all pages together hold`,
      actual: `it is ${info.numberOfRecords}`,
      answer,
    }))
  return note
}

/** Pages of another size hold the same records in the same order. */
async function order(survey: Survey): Promise<string | undefined> {
  const one = await survey.known()
  if (!one.isWhole) return halves(survey, one)
  const other = await walkPages(survey, { into: 3 })
  expectSameOrder(survey, one.records, other)
  return undefined
}

/** Of a long list, some pages are asked for again in two halves. */
async function halves(survey: Survey, { pages, note }: Walk): Promise<string | undefined> {
  for (const { asked, results } of survey.random.some(pages, 3)) {
    const pageSize = asked.pageSize / 2
    if (!Number.isInteger(pageSize)) throw new Skip(`${note}, and a page of ${asked.pageSize} has no halves`)
    const parts: Walk['pages'][number][] = []
    for (const pageNumber of [asked.pageNumber * 2 - 1, asked.pageNumber * 2]) {
      const page = await survey.page([
        ['pageNumber', `${pageNumber}`],
        ['pageSize', `${pageSize}`],
      ])
      parts.push({ ...page, asked: { pageNumber, pageSize } })
    }
    const records = parts.flatMap((part) => part.results)
    expectSameOrder(survey, results, { pages: parts, records, isWhole: false, note })
  }
  return note
}

function expectSameOrder(survey: Survey, before: readonly JsonObject[], { pages, records }: Walk): void {
  const at = before.findIndex((record, index) => !isSame(record, records[index]))
  const page = pages.find(({ asked }) => at < asked.pageNumber * asked.pageSize) ?? pages.at(-1)
  const name = (record: JsonObject | undefined) => (record ? survey.identityOf(record) : 'nothing')
  if (page)
    expect(at === -1, () => ({
      expected: `record ${name(before[at])} at place ${at + 1}, whatever the size of the pages`,
      actual: `there is ${name(records[at])}`,
      answer: page.answer,
    }))
}

/** The same while sorting, by a property that many records share, where ties show. */
async function sorted(survey: Survey): Promise<string | undefined> {
  const { records, isWhole } = await survey.known()
  if (records.length < 2) throw new Skip('it has fewer than 2 records')
  const [first] = records
  const names = Object.keys(first ?? {}).filter((name) => typeof first?.[name] !== 'object')
  const different = (name: string) => new Set(records.map((record) => record[name])).size
  const [name = survey.identityName] = names.sort((a, b) => different(a) - different(b))
  let note: string | undefined
  for (const value of [name, `-${name}`]) {
    const walk = await walkPages(survey, { query: [['sort', value]] })
    note = judgeWalk(survey, walk)
    const answer = walk.pages[0]?.answer
    expect(!isWhole || walk.records.length === records.length || !answer, () => ({
      expected: `${records.length} records, as without sort`,
      actual: `the pages sorted by ${value} hold ${walk.records.length}`,
      ...(answer && { answer }),
    }))
  }
  return note
}

/** Either parameter may be left out. */
async function defaults(survey: Survey): Promise<void> {
  const { info, results } = (await survey.first()) as Page & { info: PageInfo }
  const size = info.pageSize
  const bare = await survey.page([
    ['pageNumber', '1'],
    ['pageSize', `${size}`],
  ])
  const asks: readonly (readonly [Query, Partial<PageInfo>])[] = [
    [[], { pageNumber: 1 }],
    [[['pageSize', '3']], { pageNumber: 1, pageSize: 3 }],
    // past the end, a service may have no such page
    ...(info.numberOfRecords > size ? [[[['pageNumber', '2']], { pageNumber: 2, pageSize: size }] as const] : []),
  ]
  for (const [query, expected] of asks) {
    const page = await survey.page(query)
    for (const [name, value] of Object.entries(expected))
      expect(page.info?.[name as keyof PageInfo] === value, () => ({
        expected: `pageInfo.${name} ${value}`,
        actual: `it is ${page.info?.[name as keyof PageInfo]}`,
        answer: page.answer,
      }))
    const from = ((expected.pageNumber ?? 1) - 1) * size
    const length = Math.min(expected.pageSize ?? size, Math.max(info.numberOfRecords - from, 0))
    expect(page.results.length === length, () => ({
      expected: `${length} results`,
      actual: `there are ${page.results.length}`,
      answer: page.answer,
    }))
  }
  expect(isSame(bare.results, results), () => ({
    expected: 'the same page with and without the default parameters',
    actual: 'the records differ',
    answer: bare.answer,
  }))
}

async function usualSize(survey: Survey): Promise<void> {
  const { info, answer } = await survey.first()
  if (info?.pageSize !== 10)
    throw new OpenPoint({ expected: 'a default pageSize of 10', actual: `it is ${info?.pageSize}`, answer })
}

/** Past the end there is nothing; how that is said is open. */
async function pastEnd(survey: Survey): Promise<void> {
  const { info } = await survey.first()
  const number = Math.ceil((info?.numberOfRecords ?? 0) / 10) + 5
  const answer = await survey.ask([
    ['pageNumber', `${number}`],
    ['pageSize', '10'],
  ])
  if (answer.status >= 400 && answer.status < 500)
    throw new OpenPoint({ expected: 'status 200 and no results past the last page', actual: statusOf(answer), answer })
  expectStatus(answer, 200)
  const results = (answer.json as { results?: unknown[] } | undefined)?.results ?? []
  expect(results.length === 0, () => ({
    expected: `no results on page ${number}, which is past the end`,
    actual: `there are ${results.length}`,
    answer,
  }))
}

const isPaginated = (collection: Collection) => collection.isPaginated
const sortable = ({ collection }: Survey) =>
  collection.list.parameters.some(({ name }) => name === 'sort') ? undefined : 'it offers no parameter sort'

export const pageChecks: readonly Check[] = [
  { code: 'envelope', run: envelope },
  { code: 'page-arithmetic', isMeant: isPaginated, run: arithmetic },
  { code: 'page-echo', isMeant: isPaginated, run: echo },
  { code: 'page-walk', isMeant: isPaginated, run: eachOnce },
  { code: 'page-order', isMeant: isPaginated, run: order },
  { code: 'page-sorted', isMeant: isPaginated, unfit: sortable, run: sorted },
  { code: 'page-default', isMeant: isPaginated, run: defaults },
  { code: 'page-size', isMeant: isPaginated, run: usualSize },
  { code: 'page-past-end', isMeant: isPaginated, run: pastEnd },
]
