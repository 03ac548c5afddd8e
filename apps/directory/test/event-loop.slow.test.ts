// The event loop stays responsive during the worst requests of every operation, on many records.

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

/**
 * The longest block is 55 ms on two quiet cores, and twice that on busy ones, where the CPU time of the same work grows
 * too. Work that grows with the number of records would block much longer.
 */
const limitMs = 250

/** A restoration reads the entries of a record in pages, and each page counts all of them: here 200,000 links. */
const restoreLimitMs = 500

/** The timeout of a list is short, because a blocked event loop shows at once. Other responses must arrive. */
const listTimeoutMs = 150
const timeoutMs = 20_000
/** A restoration of this size takes longer than its own time limit. */
const restoreTimeoutMs = 3000

/** Resources whose lists were already tested. */
const listedRecords = new Set<string>()

const folder = mkdtempSync(join(tmpdir(), 'nomen-event-loop-'))
const state: { directory?: ServedDirectory; probe?: LoopProbe } = {}
const agent = new Agent({ keepAlive: false })

beforeAll(async () => {
  const file = join(folder, 'directory.db')
  await (await serveDirectory(folder, file, 100)).stop()
  fillDirectory(file)
  state.directory = await serveDirectory(folder, file)
  state.probe = new LoopProbe(state.directory.base, state.directory.pid)
})

afterAll(async () => {
  state.probe?.close()
  agent.destroy()
  // A restoration may still be running.
  await state.directory?.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Returns the status, or 0 after a timeout. */
function send({ method, target, headers, body }: WorstRequest): Promise<number> {
  return new Promise((resolve) => {
    const isRestoration = target.endsWith('/restoration')
    const signal = AbortSignal.timeout(
      target.includes('?') ? listTimeoutMs : isRestoration ? restoreTimeoutMs : timeoutMs,
    )
    const length = body ? { 'content-length': `${body.length}` } : {}
    const outgoing = request(`${state.directory?.base}${target}`, {
      method,
      agent,
      signal,
      headers: { ...headers, ...length },
    })
    outgoing.once('response', (response) =>
      response
        .on('error', () => resolve(0))
        .resume()
        .once('end', () => resolve(response.statusCode ?? 0)),
    )
    outgoing.once('error', () => resolve(0))
    outgoing.end(body)
  })
}

/** Operations that delete records come last, and then those that restore them. */
const kindOrder = [
  ['list', 'read', 'lookup'],
  ['create', 'replace', 'update', 'link', 'custom'],
  ['unlink', 'delete'],
  ['restore'],
]
const table: readonly Operation[] = [...operations(directory), ...operations(access)]
const orderedOperations = kindOrder.flatMap((kinds) => table.filter(({ kind }) => kinds.includes(kind)))

it('covers every operation', () => {
  expect(orderedOperations).toHaveLength(table.length)
})

it.each(orderedOperations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  'the event loop is free during %s',
  { timeout: 120_000 },
  (_, operation) => expectFree(operation),
)

async function expectFree(operation: Operation): Promise<void> {
  const blockedMs: Record<string, number> = {}
  const records = `${operation.api} ${operation.levels.map(({ resource }) => resource.noun.name).join('/')}`
  const longestAllowedMs = operation.kind === 'restore' ? restoreLimitMs : limitMs
  const requests = worstRequests(operation, !listedRecords.has(records))
  if (operation.kind === 'list') listedRecords.add(records)
  for (const request of requests) {
    const responsePromise = send(request)
    const longestMs = (await state.probe?.longestDuring(responsePromise)) ?? 0
    if (longestMs >= longestAllowedMs) blockedMs[request.name] = Math.round(longestMs)
  }
  expect(blockedMs).toEqual({})
}
