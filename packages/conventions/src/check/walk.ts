/** Reads the pages of a list: all, or a sample of many. */
import type { JsonObject } from '../document/read-document.ts'
import { Fault } from './finding.ts'
import type { Query } from './request/exchange.ts'
import type { Page } from './request/page.ts'
import type { Random } from './request/random.ts'

export interface WalkedPage extends Page {
  readonly requested: { readonly pageSize: number; readonly pageNumber: number }
}

export interface Walk {
  readonly pages: readonly WalkedPage[]
  /** The records of all visited pages, in order. */
  readonly records: readonly JsonObject[]
  /** Whether all pages were visited. */
  readonly isWhole: boolean
  /** A note about a sample. */
  readonly note: string | undefined
}

/** Maximum number of pages without sampling. */
const maxPages = 30
/** The largest requested pageSize. */
const maxPageSize = 100
/** Concurrent requests. */
const maxConcurrent = 4

/** A list whose pages can be read. */
export interface Walkable {
  readonly random: Random
  /** The largest pageSize that the list supports. */
  readonly maximumSize: number | undefined
  readonly firstPage: () => Promise<Page>
  readonly readPage: (query: Query) => Promise<Page>
}

export interface WalkOptions {
  readonly query?: Query
  /** The approximate number of pages. */
  readonly pageCount?: number
  /** Chooses the pages of a long list. @default the choices of the current check */
  readonly random?: Random
}

/** Reads from the first page to the one after the last, which must be empty. */
export async function walkPages(
  list: Walkable,
  { query = [], pageCount = 5, random = list.random }: WalkOptions = {},
): Promise<Walk> {
  const { info, results } = query.length > 0 ? await list.readPage(query) : await list.firstPage()
  if (!info) return { pages: [], records: results, isWhole: true, note: undefined }
  const total = Math.max(info.numberOfRecords, results.length)
  const pageSize = Math.min(list.maximumSize ?? maxPageSize, maxPageSize, Math.max(1, Math.ceil(total / pageCount)))
  const last = Math.ceil(total / pageSize)
  const numbers = pageNumbers(last, random)
  const visited = await mapInBatches(numbers, async (pageNumber): Promise<WalkedPage | undefined> => {
    const requested = { pageSize, pageNumber }
    const response = list.readPage([...query, ['pageNumber', `${pageNumber}`], ['pageSize', `${pageSize}`]])
    return response.then(
      (page) => ({ ...page, requested }),
      (error) => {
        // Another check covers the page after the last one.
        if (error instanceof Fault && pageNumber > last) return undefined
        throw error
      },
    )
  })
  const pages = visited.filter((page) => page !== undefined)
  const isWhole = numbers.length > last
  return {
    pages,
    records: pages.flatMap((page) => page.results),
    isWhole,
    note: isWhole ? undefined : `${numbers.length} of ${last} pages with ${pageSize} records were checked`,
  }
}

function pageNumbers(last: number, random: Random): number[] {
  const numbers = Array.from({ length: Math.min(last, 100_000) }, (_, index) => index + 1)
  if (last <= maxPages) return [...numbers, last + 1]
  const middle = random.sample(numbers.slice(3, -2), maxPages - 5)
  return [1, 2, 3, ...middle, last - 1, last]
}

/** Runs a few at a time, with the results in order. */
export async function mapInBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < items.length; start += maxConcurrent)
    results.push(...(await Promise.all(items.slice(start, start + maxConcurrent).map(work))))
  return results
}
