/** What requests cost that no count is kept for: printed, for the operations guide. */
import type { ChildProcess } from 'node:child_process'
import { inWords, short } from '../chart/number.ts'
import { untilIdle } from '../child.ts'
import type { DatabaseKind, Served } from '../contender.ts'
import { databaseNames } from '../database-name.ts'
import { runLoad } from '../load.ts'
import { markdownTable } from '../markdown.ts'
import { say } from '../session.ts'
import type { GrowthSettings } from './settings.ts'

/** However slow, so many must be answered. */
const fewest = 3

/** The page in the middle of so many users, ten on each. */
const deep = (users: number) => `pageSize=10&pageNumber=${Math.ceil(users / 20)}`

const requests: readonly { readonly what: string; readonly path: (users: number) => string }[] = [
  {
    what: 'search that finds few',
    path: (users) => `/user?search=${users < 1e6 ? 'lukasz.nowak@' : '7.lukasz.nowak@'}&pageSize=10`,
  },
  { what: 'search that finds many', path: () => '/user?search=nowak&pageSize=10' },
  { what: 'two filters, first page', path: () => '/user?status=ACTIVE&department=3&pageSize=10' },
  { what: 'two filters, page 1,000', path: () => '/user?status=ACTIVE&department=3&pageSize=10&pageNumber=1000' },
  { what: 'one reference, first page', path: () => '/user?department=3&pageSize=10' },
  { what: 'another order, first page', path: () => '/user?sort=lastName&pageSize=10' },
  { what: 'another order, middle page', path: (users) => `/user?sort=lastName&${deep(users)}` },
  { what: 'another order, filtered, middle page', path: (users) => `/user?status=ACTIVE&sort=-created&${deep(users)}` },
]

export async function printRest(
  { requests: atMost, seconds }: GrowthSettings,
  database: DatabaseKind,
  users: number,
  { url, child }: Served,
  load: ChildProcess,
): Promise<void> {
  const rows: string[][] = []
  for (const { what, path } of requests) {
    say(what)
    const request = { method: 'GET' as const, path: path(users) }
    const refused = await refusal(`${url}${request.path}`)
    if (refused) rows.push([what, `\`GET ${request.path}\``, refused, '', ''])
    else {
      const order = { url, requests: [request], connections: 1, atLeast: fewest }
      const { p50, p99, number } = await runLoad(load, { ...order, seconds, atMost })
      rows.push([what, `\`GET ${request.path}\``, short(p50), short(p99), `${number}`])
    }
    await untilIdle(child)
  }
  say('')
  const head = [`${inWords(users)} users on ${databaseNames[database]}`, 'request', 'p50 ms', 'p99 ms', 'measured']
  console.log(`${markdownTable(head, rows, { textColumns: 2 })}\n`)
}

/** The service stops what takes too long; then there is nothing to measure. */
async function refusal(url: string): Promise<string | undefined> {
  const started = performance.now()
  const { ok, status } = await fetch(url)
  return ok ? undefined : `${status} after ${short((performance.now() - started) / 1000)} s`
}
