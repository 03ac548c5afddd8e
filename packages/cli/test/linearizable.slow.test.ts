// Many clients of several processes on one database: the history is linearizable.
import { numberOfRuns, proofSeed, seedNumber, timeoutOption, withoutLoadShedding } from '@nomen/testing/prove'
import { randomFrom } from '@nomen/testing/random'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { beforeAll, describe, expect, it } from 'vitest'
import { serviceFolder } from './folder.ts'
import { faults } from './linearizable/faulty.ts'
import { ledgerWith, manyItems } from './linearizable/ledger.ts'
import { Load, type Send } from './linearizable/load.ts'
import { serve } from './nomen.ts'
import { forAll, forTest, type OnCleanup } from './over.ts'
import { connections, sendRequest } from './send-request.ts'

const numberOfClients = 12

/** The maximum number of runs with a fault until the check finds it. */
const maxRuns = 5

interface Kind {
  readonly requests: number
  /** Serves the ledger with several processes on one database, and returns their URLs. */
  serve(onCleanup?: OnCleanup): Promise<readonly string[]>
}

async function onSqlite(items: number, onCleanup: OnCleanup = forTest): Promise<readonly string[]> {
  const folder = serviceFolder({ 'service.ts': ledgerWith(items) }, onCleanup)
  return [(await serve(['--workers', '2'], { folder, environment: withoutLoadShedding, onCleanup })).base]
}

async function onPostgres(): Promise<readonly string[]> {
  const { url, remove } = await temporaryPostgres()
  forTest(remove)
  const instance = async () => {
    const folder = serviceFolder({ 'service.ts': ledgerWith(0) })
    return (await serve(['--database', url], { folder, environment: withoutLoadShedding })).base
  }
  return [await instance(), await instance()]
}

const kinds: Readonly<Record<string, Kind>> = {
  'SQLite with two workers': { requests: numberOfRuns(800, 120_000), serve: () => onSqlite(0) },
  'SQLite with two workers that read lists on threads': {
    requests: numberOfRuns(300, 30_000),
    serve: () => onSqlite(manyItems),
  },
  'two instances on PostgreSQL': { requests: numberOfRuns(800, 120_000), serve: onPostgres },
}

/** A client with its own connection. */
function sendTo(base: string): Send {
  const agent = connections(1)
  return async ({ method, path, body, headers = {} }) => {
    const {
      status,
      headers: responseHeaders,
      bytes,
      json,
    } = await sendRequest(base + path, {
      method,
      headers,
      agent,
      ...(body && { body }),
    })
    return { status, tag: responseHeaders.etag, body: bytes.length > 0 ? json() : undefined }
  }
}

function clientsOf(bases: readonly string[]): readonly Send[] {
  return Array.from({ length: numberOfClients }, (_, index) => sendTo(bases[index % bases.length] ?? ''))
}

describe.each(Object.entries(kinds))('%s', (kind, { requests, serve: startServers }) => {
  it('show each client a state between its request and the response', timeoutOption(300_000, 3_600_000), async () => {
    const seed = proofSeed()
    const load = new Load(randomFrom(seedNumber(seed)))
    await load.run(clientsOf(await startServers()), requests)
    const start = performance.now()
    const violations = load.history.violations()
    const statuses = [...load.statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
    console.log(
      `${kind}: ${load.sentCount} requests of ${numberOfClients} clients (${statuses.join(', ')}), ` +
        `${violations.length} violations, checked in ${Math.round(performance.now() - start)} ms, PROVE_SEED=${seed}`,
    )
    expect(violations.slice(0, 5)).toEqual([])
    expect(load.unknownCount).toBeLessThan(load.sentCount / 10)
    expect([...load.statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 204, 304, 404, 412]))
  })
})

describe('the check of the history', () => {
  const onCleanup = forAll()
  let bases: readonly string[] = []
  beforeAll(async () => {
    bases = await onSqlite(0, onCleanup)
  })

  it.each(Object.entries(faults))('finds %s', async (name, { fault, kinds: expectedKinds }) => {
    const random = randomFrom(1)
    const clients = clientsOf(bases)
    const foundKinds = new Set<string>()
    // Whether a fault has an effect depends on requests at the same time, so that a run may have none.
    for (let run = 0; run < maxRuns && expectedKinds.every((kind) => !foundKinds.has(kind)); run++) {
      const load = new Load(randomFrom(2 + run), `${name.replaceAll(' ', '-')}-${run}-`)
      await load.run(
        clients.map((send) => fault(send, random)),
        1000,
      )
      await load.clear(clients[0] as Send)
      for (const { kind } of load.history.violations()) foundKinds.add(kind)
    }
    expect([...foundKinds]).toEqual(expect.arrayContaining([expect.toBeOneOf([...expectedKinds])]))
  })

  it('finds no violation in a correct history', async () => {
    const load = new Load(randomFrom(2))
    await load.run(clientsOf(bases), 1000)
    expect(load.history.violations()).toEqual([])
  })
})
