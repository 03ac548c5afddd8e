/** Walks over the pages of a list: all of them, or a sample where they are many. */
import type { JsonObject } from '../document/read-document.ts'
import { Fault } from './finding.ts'
import type { Query } from './request/exchange.ts'
import type { Page } from './request/page.ts'
import type { Random } from './request/random.ts'

export interface WalkedPage extends Page {
  readonly asked: { readonly pageSize: number; readonly pageNumber: number }
}

export interface Walk {
  readonly pages: readonly WalkedPage[]
  /** Those of all pages that were seen, in order. */
  readonly records: readonly JsonObject[]
  /** Whether every page was seen. */
  readonly isWhole: boolean
  /** What it says of how much was seen. */
  readonly note: string | undefined
}

/** More pages than this are sampled. */
const pageLimit = 30
/** The largest page that is asked for. */
const sizeLimit = 100
/** Requests under way at once. */
const atOnce = 4

/** A list that can be walked. */
export interface Walkable {
  readonly random: Random
  /** The largest page that the list is known to give. */
  readonly maximumSize: number | undefined
  readonly first: () => Promise<Page>
  readonly page: (query: Query) => Promise<Page>
}

export interface WalkOptions {
  readonly query?: Query
  /** About so many pages are made of the records. */
  readonly into?: number
}

/** From the first page to the one after the last, which must be empty. */
export async function walkPages(list: Walkable, { query = [], into = 5 }: WalkOptions = {}): Promise<Walk> {
  const { info, results } = query.length > 0 ? await list.page(query) : await list.first()
  if (!info) return { pages: [], records: results, isWhole: true, note: undefined }
  const total = Math.max(info.numberOfRecords, results.length)
  const pageSize = Math.min(list.maximumSize ?? sizeLimit, sizeLimit, Math.max(1, Math.ceil(total / into)))
  const last = Math.ceil(total / pageSize)
  const numbers = pageNumbers(last, list.random)
  const found = await inTurn(numbers, async (pageNumber): Promise<WalkedPage | undefined> => {
    const asked = { pageSize, pageNumber }
    const asking = list.page([...query, ['pageNumber', `${pageNumber}`], ['pageSize', `${pageSize}`]])
    return asking.then(
      (page) => ({ ...page, asked }),
      (error) => {
        // how a page past the end is answered is not for the walk to judge
        if (error instanceof Fault && pageNumber > last) return undefined
        throw error
      },
    )
  })
  const pages = found.filter((page) => page !== undefined)
  const isWhole = numbers.length > last
  return {
    pages,
    records: pages.flatMap((page) => page.results),
    isWhole,
    note: isWhole ? undefined : `${numbers.length} of ${last} pages of ${pageSize} records were seen`,
  }
}

function pageNumbers(last: number, random: Random): number[] {
  const all = Array.from({ length: Math.min(last, 100_000) }, (_, at) => at + 1)
  if (last <= pageLimit) return [...all, last + 1]
  const middle = random.some(all.slice(3, -2), pageLimit - 5)
  return [1, 2, 3, ...middle, last - 1, last]
}

/** A few at once, the results in the order of what was given. */
async function inTurn<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += atOnce)
    results.push(...(await Promise.all(items.slice(at, at + atOnce).map(work))))
  return results
}
