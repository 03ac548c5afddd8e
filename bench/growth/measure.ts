/** Measures the same pages at all sizes in turns, because no machine is idle for long. */
import type { ChildProcess } from 'node:child_process'
import { checkAgreement } from '../agreement.ts'
import { waitUntilIdle } from '../child.ts'
import type { RunningContender } from '../contender.ts'
import type { LoadOrder, LoadResult } from '../load/order.ts'
import { runLoad } from '../load.ts'
import type { Filter, RequestSpec } from '../request-spec.ts'
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

/** The contenders on one database with this number of users. */
export interface Size {
  readonly users: number
  readonly contenders: Readonly<Record<ContenderName, RunningContender>>
}

/** The pages of one list at one size. */
type Pages = Readonly<Record<PageName, RequestSpec>>

const connections = 8
/** The minimum number of responses, even if they are slow. */
const minRequests = 3

const filters: Readonly<Record<ListName, Filter>> = { 'all users': {}, 'status=ACTIVE': { status: 'ACTIVE' } }

/** Checks that all contenders return the same pages; then measures each page during writes. */
export async function measureSizes(
  load: ChildProcess,
  sizes: readonly Size[],
  settings: GrowthSettings,
): Promise<GrowthPoint[]> {
  const points: GrowthPoint[] = []
  for (const list of listNames) {
    const pages = new Map<Size, Pages>()
    for (const size of sizes) pages.set(size, await checkedPages(size, filters[list]))
    for (const page of pageNames) {
      for (const contender of contenderNames) {
        const specs = [...pages].map(([size, specs]) => ({ size, spec: specs[page] }))
        const results = await measureInTurns(load, specs, contender, settings, (users) =>
          say(`${list}, ${page} page, ${contender}: ${users} users`),
        )
        points.push(...results.map((figures) => ({ contender, list, page, ...figures })))
      }
    }
  }
  say('')
  return points
}

type Figures = Pick<GrowthPoint, 'users' | 'p50' | 'p99' | 'growth' | 'requestsPerSecond'>

/** One page of one contender at all sizes, round by round. */
async function measureInTurns(
  load: ChildProcess,
  specs: readonly { readonly size: Size; readonly spec: RequestSpec }[],
  contender: ContenderName,
  { rounds, requests, seconds }: GrowthSettings,
  onTurn: (users: number) => void,
): Promise<Figures[]> {
  const turns = specs.map(({ size, spec }) => ({ ...size, spec, results: [] as LoadResult[], requestsPerSecond: 0 }))
  const share = { seconds: seconds / rounds, atMost: requests / rounds }
  for (let round = 0; round < rounds; round++) {
    for (const turn of turns) {
      onTurn(turn.users)
      const { url, dialect, child } = turn.contenders[contender]
      const order = { url, requests: [dialect.request(turn.spec)], connections: 1, atLeast: minRequests }
      await measureDuringWrites(turn.contenders.Nomen, async () => {
        if (round === 0) await runLoad(load, { ...order, seconds: share.seconds / 2, atMost: share.atMost / 4 })
        turn.results.push(await runLoad(load, { ...order, ...share }))
        if (round === rounds - 1)
          turn.requestsPerSecond = await rateOf(load, { ...order, connections, seconds: seconds / 4 })
      })
      // A slow contender may still be working on pending requests.
      await waitUntilIdle(child)
    }
  }
  const times = turns.map(({ results }) => results.map(({ p50 }) => p50))
  return turns.map(({ users, results, requestsPerSecond }, index) => ({
    users,
    p50: spread(times[index] ?? []).median,
    p99: spread(results.map(({ p99 }) => p99)).median,
    growth: ratio(times[index] ?? [], times[0] ?? []).median,
    requestsPerSecond,
  }))
}

async function rateOf(load: ChildProcess, order: LoadOrder): Promise<number> {
  const { number, seconds } = await runLoad(load, { ...order, atLeast: connections })
  return number / seconds
}

async function measureDuringWrites(service: RunningContender, work: () => Promise<void>): Promise<void> {
  const writer = startWriter(service.url)
  try {
    await work()
  } finally {
    await writer.stop()
  }
}

/** The first, middle and last page of a list, after a check that all contenders return the same. */
async function checkedPages({ contenders }: Size, filter: Filter): Promise<Pages> {
  const { url, dialect } = contenders.Nomen
  const response = await fetch(`${url}${dialect.request({ target: 'page', number: 1, filter }).path}`)
  const { pageInfo } = (await response.json()) as { pageInfo: { numberOfPages: number } }
  const page = (number: number): RequestSpec => ({ target: 'page', number, filter })
  const { numberOfPages } = pageInfo
  const pages = { first: page(1), middle: page(Math.ceil(numberOfPages / 2)), last: page(numberOfPages) }
  await checkAgreement(Object.values(contenders), Object.values(pages))
  return pages
}
