// Whatever a caller sends, the event loop answers: the worst requests of every operation, on a million records.

import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Operation, operations } from '@nomen/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { access, directory } from '../src/index.ts'
import { fillDirectory } from './event-loop/large-directory.ts'
import { LoopProbe } from './event-loop/loop-probe.ts'
import { type ServedDirectory, serveDirectory } from './event-loop/served-directory.ts'
import { type WorstRequest, worstRequests } from './event-loop/worst-request.ts'

/** How long `/health/live` may take. */
const limitMs = 100

/** How long the answer to a list is waited for: whether it holds the event loop shows at once. Others must arrive. */
const listPatienceMs = 150
const patienceMs = 20_000

/** Which records were listed before. */
const tried = new Set<string>()

const folder = mkdtempSync(join(tmpdir(), 'nomen-event-loop-'))
const held: { served?: ServedDirectory; probe?: LoopProbe } = {}
const agent = new Agent({ keepAlive: false })

beforeAll(async () => {
  const file = join(folder, 'directory.db')
  await (await serveDirectory(folder, file, 100)).stop()
  fillDirectory(file)
  held.served = await serveDirectory(folder, file)
  held.probe = new LoopProbe(held.served.base, held.served.pid)
}, 180_000)

afterAll(async () => {
  held.probe?.close()
  agent.destroy()
  await held.served?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The status, or 0 where there was no answer in time. */
function send({ method, target, headers, body }: WorstRequest): Promise<number> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(target.includes('?') ? listPatienceMs : patienceMs)
    const length = body ? { 'content-length': `${body.length}` } : {}
    const asked = request(`${held.served?.base}${target}`, {
      method,
      agent,
      signal,
      headers: { ...headers, ...length },
    })
    asked.once('response', (answer) =>
      answer
        .on('error', () => resolve(0))
        .resume()
        .once('end', () => resolve(answer.statusCode ?? 0)),
    )
    asked.once('error', () => resolve(0))
    asked.end(body)
  })
}

/** Those that take something away come last, when nothing else is asked of it. */
const parts = [
  ['list', 'read', 'lookup'],
  ['create', 'replace', 'update', 'link', 'custom'],
  ['unlink', 'delete'],
]
const table: readonly Operation[] = [...operations(directory), ...operations(access)]
const ordered = parts.flatMap((kinds) => table.filter(({ kind }) => kinds.includes(kind)))

it('covers every operation', () => {
  expect(ordered).toHaveLength(table.length)
})

it.each(ordered.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  'the event loop is free during %s',
  { timeout: 120_000 },
  (_, operation) => expectFree(operation),
)

async function expectFree(operation: Operation): Promise<void> {
  const found: Record<string, number> = {}
  const records = `${operation.api} ${operation.levels.map(({ resource }) => resource.noun.name).join('/')}`
  const requests = worstRequests(operation, !tried.has(records))
  if (operation.kind === 'list') tried.add(records)
  for (const one of requests) {
    const sent = send(one)
    const longest = (await held.probe?.longestDuring(sent)) ?? 0
    if (longest >= limitMs) found[one.what] = Math.round(longest)
  }
  expect(found).toEqual({})
}
