/** Measures requests without tallies: printed, for docs/capacity.md. */
import type { ChildProcess } from 'node:child_process'
import { inWords, short } from '../chart/number.ts'
import { waitUntilIdle } from '../child.ts'
import type { DatabaseKind, RunningContender } from '../contender.ts'
import { databaseNames } from '../database-name.ts'
import type { LoadResult } from '../load/order.ts'
import { runFallibleLoad } from '../load.ts'
import { markdownTable } from '../markdown.ts'
import { say } from '../session.ts'
import type { GrowthSettings } from './settings.ts'
import { startWriter } from './writer.ts'

/** The minimum number of responses, even if they are slow. */
const minRequests = 3

/** Pages of this number of users, with ten per page. */
const middlePage = (users: number) => `pageSize=10&pageNumber=${Math.ceil(users / 20)}`
const lastPage = (users: number) => `pageSize=10&pageNumber=${Math.ceil(users / 10)}`

const requests: readonly { readonly name: string; readonly path: (users: number) => string }[] = [
  {
    name: 'search that finds few',
    path: (users) => `/user?search=${users < 1e6 ? 'lukasz.nowak@' : '7.lukasz.nowak@'}&pageSize=10`,
  },
  { name: 'search that finds many', path: () => '/user?search=nowak&pageSize=10' },
  { name: 'two filters, first page', path: () => '/user?status=ACTIVE&department=3&pageSize=10' },
  { name: 'two filters, page 1,000', path: () => '/user?status=ACTIVE&department=3&pageSize=10&pageNumber=1000' },
  { name: 'one reference, first page', path: () => '/user?department=3&pageSize=10' },
  { name: 'another order, first page', path: () => '/user?sort=lastName&pageSize=10' },
  { name: 'another order, middle page', path: (users) => `/user?sort=lastName&${middlePage(users)}` },
  { name: 'another order, last page', path: (users) => `/user?sort=lastName&${lastPage(users)}` },
  {
    name: 'another order, filtered, middle page',
    path: (users) => `/user?status=ACTIVE&sort=-created&${middlePage(users)}`,
  },
]

export async function printRest(
  { requests: atMost, seconds }: GrowthSettings,
  database: DatabaseKind,
  users: number,
  { url, child }: RunningContender,
  load: ChildProcess,
): Promise<void> {
  const rows: string[][] = []
  for (const { name, path } of requests) {
    say(name)
    const request = { method: 'GET' as const, path: path(users) }
    // The first request may wait for the disk.
    const failure = (await failureOf(`${url}${request.path}`)) && (await failureOf(`${url}${request.path}`))
    if (failure) rows.push([name, `\`GET ${request.path}\``, failure, '', ''])
    else {
      const order = { url, requests: [request], connections: 1, atLeast: minRequests, seconds, atMost }
      const unchanged = await runFallibleLoad(load, order)
      const writer = startWriter(url)
      const changing = await runFallibleLoad(load, order)
      await writer.stop()
      rows.push([name, `\`GET ${request.path}\``, p50Of(unchanged), p50Of(changing), p99Of(changing)])
    }
    await waitUntilIdle(child)
  }
  say('')
  const times = ['p50 ms without writes', 'p50 ms during writes', 'p99 ms during writes']
  const head = [`${inWords(users)} users on ${databaseNames[database]}`, 'request', ...times]
  console.log(`${markdownTable(head, rows, { textColumns: 2 })}\n`)
}

function p50Of({ failures, number, p50 }: LoadResult): string {
  return failures > 0 ? `${failures} of ${failures + number} failed` : short(p50)
}

function p99Of({ failures, p99 }: LoadResult): string {
  return failures > 0 ? '' : short(p99)
}

/** The status and the time of a request that the service stops because it takes too long. */
async function failureOf(url: string): Promise<string | undefined> {
  const startTime = performance.now()
  const { ok, status } = await fetch(url)
  return ok ? undefined : `${status} after ${short((performance.now() - startTime) / 1000)} s`
}
