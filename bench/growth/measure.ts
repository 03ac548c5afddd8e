/** Asks for the same pages at all sizes in turns, because no machine is quiet for long. */
import type { ChildProcess } from 'node:child_process'
import { checkAgreement } from '../agreement.ts'
import type { Ask, Filter } from '../ask.ts'
import { untilIdle } from '../child.ts'
import type { Served } from '../contender.ts'
import type { LoadOrder, LoadResult } from '../load/order.ts'
import { runLoad } from '../load.ts'
import { say } from '../session.ts'
import { ratio, spread } from '../statistic.ts'
import {
  type ContenderName,
  contenderNames,
  type GrowthPoint,
  type ListName,
  listNames,
  type PageName,
  pageNames,
} from './figures.ts'
import type { GrowthSettings } from './settings.ts'
import { startWriter } from './writer.ts'

/** The contenders on one database of so many users. */
export interface Size {
  readonly users: number
  readonly served: Readonly<Record<ContenderName, Served>>
}

/** The pages of one list at one size. */
type Pages = Readonly<Record<PageName, Ask>>

const connections = 8
/** However slow, so many must be answered. */
const fewest = 3

const filters: Readonly<Record<ListName, Filter>> = { 'all users': {}, 'status=ACTIVE': { status: 'ACTIVE' } }

/** First all must give the same pages; then, while somebody writes, each page is asked of each. */
export async function measureSizes(
  load: ChildProcess,
  sizes: readonly Size[],
  settings: GrowthSettings,
): Promise<GrowthPoint[]> {
  const points: GrowthPoint[] = []
  for (const list of listNames) {
    const pages = new Map<Size, Pages>()
    for (const size of sizes) pages.set(size, await agreedPages(size, filters[list]))
    for (const page of pageNames) {
      for (const contender of contenderNames) {
        const asks = [...pages].map(([size, asks]) => ({ size, ask: asks[page] }))
        const measured = await inTurns(load, asks, contender, settings, (users) =>
          say(`${list}, ${page} page, ${contender}: ${users} users`),
        )
        points.push(...measured.map((figures) => ({ contender, list, page, ...figures })))
      }
    }
  }
  say('')
  return points
}

type Figures = Pick<GrowthPoint, 'users' | 'p50' | 'p99' | 'growth' | 'requestsPerSecond'>

/** One page of one contender at all sizes, round by round. */
async function inTurns(
  load: ChildProcess,
  asks: readonly { readonly size: Size; readonly ask: Ask }[],
  contender: ContenderName,
  { rounds, requests, seconds }: GrowthSettings,
  onTurn: (users: number) => void,
): Promise<Figures[]> {
  const turns = asks.map(({ size, ask }) => ({ ...size, ask, results: [] as LoadResult[], together: 0 }))
  const share = { seconds: seconds / rounds, atMost: requests / rounds }
  for (let round = 0; round < rounds; round++) {
    for (const turn of turns) {
      onTurn(turn.users)
      const { url, dialect, child } = turn.served[contender]
      const order = { url, requests: [dialect.request(turn.ask)], connections: 1, atLeast: fewest }
      await whileWriting(turn.served.Nomen, async () => {
        if (round === 0) await runLoad(load, { ...order, seconds: share.seconds / 2, atMost: share.atMost / 4 })
        turn.results.push(await runLoad(load, { ...order, ...share }))
        if (round === rounds - 1) turn.together = await rateOf(load, { ...order, connections, seconds: seconds / 4 })
      })
      // Whoever is slow is still at the requests that were under way when the time was up.
      await untilIdle(child)
    }
  }
  const times = turns.map(({ results }) => results.map(({ p50 }) => p50))
  return turns.map(({ users, results, together }, index) => ({
    users,
    p50: spread(times[index] ?? []).median,
    p99: spread(results.map(({ p99 }) => p99)).median,
    growth: ratio(times[index] ?? [], times[0] ?? []).median,
    requestsPerSecond: together,
  }))
}

async function rateOf(load: ChildProcess, order: LoadOrder): Promise<number> {
  const { number, seconds } = await runLoad(load, { ...order, atLeast: connections })
  return number / seconds
}

async function whileWriting(service: Served, work: () => Promise<void>): Promise<void> {
  const writer = startWriter(service.url)
  try {
    await work()
  } finally {
    await writer.stop()
  }
}

/** Where the first, the middle and the last page of a list are, proven to be the same for all. */
async function agreedPages({ served }: Size, filter: Filter): Promise<Pages> {
  const { url, dialect } = served.Nomen
  const response = await fetch(`${url}${dialect.request({ of: 'page', number: 1, filter }).path}`)
  const { pageInfo } = (await response.json()) as { pageInfo: { numberOfPages: number } }
  const page = (number: number): Ask => ({ of: 'page', number, filter })
  const { numberOfPages } = pageInfo
  const pages = { first: page(1), middle: page(Math.ceil(numberOfPages / 2)), last: page(numberOfPages) }
  await checkAgreement(Object.values(served), Object.values(pages))
  return pages
}
