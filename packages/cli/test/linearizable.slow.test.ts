// Many clients at several processes of one database: what they see is what one copy of the records would have shown them.
import { often, patience, proofSeed, seedNumber, unhurried } from '@nomen/testing/prove'
import { randomFrom } from '@nomen/testing/random'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { beforeAll, describe, expect, it } from 'vitest'
import { ask, connections } from './ask.ts'
import { serviceFolder } from './folder.ts'
import { faults } from './linearizable/faulty.ts'
import { ledgerWith, manyItems } from './linearizable/ledger.ts'
import { Load, type Send } from './linearizable/load.ts'
import { serve } from './nomen.ts'
import { forAll, forTest, type Over } from './over.ts'

const numberOfClients = 12

interface Kind {
  readonly requests: number
  /** Serves the ledger by several processes on one database; gives their addresses. */
  serve(over?: Over): Promise<readonly string[]>
}

async function onSqlite(items: number, over: Over = forTest): Promise<readonly string[]> {
  const folder = serviceFolder({ 'service.ts': ledgerWith(items) }, over)
  return [(await serve(['--workers', '2'], { folder, environment: unhurried, over })).base]
}

async function onPostgres(): Promise<readonly string[]> {
  const { url, remove } = await temporaryPostgres()
  forTest(remove)
  const instance = async () => {
    const folder = serviceFolder({ 'service.ts': ledgerWith(0) })
    return (await serve(['--database', url], { folder, environment: unhurried })).base
  }
  return [await instance(), await instance()]
}

const kinds: Readonly<Record<string, Kind>> = {
  'SQLite with two workers': { requests: often(6000, 120_000), serve: () => onSqlite(0) },
  'SQLite with two workers that read lists on threads': {
    requests: often(1500, 30_000),
    serve: () => onSqlite(manyItems),
  },
  'two instances on PostgreSQL': { requests: often(6000, 120_000), serve: onPostgres },
}

/** A client with a connection of its own. */
function sendTo(base: string): Send {
  const agent = connections(1)
  return async ({ method, path, body, headers = {} }) => {
    const {
      status,
      headers: given,
      bytes,
      json,
    } = await ask(base + path, {
      method,
      headers,
      agent,
      ...(body && { body }),
    })
    return { status, tag: given.etag, body: bytes.length > 0 ? json() : undefined }
  }
}

function clientsOf(bases: readonly string[]): readonly Send[] {
  return Array.from({ length: numberOfClients }, (_, at) => sendTo(bases[at % bases.length] ?? ''))
}

describe.each(Object.entries(kinds))('%s', (kind, { requests, serve: served }) => {
  it('show each client a state between its request and the answer', patience(300_000, 3_600_000), async () => {
    const seed = proofSeed()
    const load = new Load(randomFrom(seedNumber(seed)))
    await load.run(clientsOf(await served()), requests)
    const start = performance.now()
    const violations = load.seen.violations()
    const statuses = [...load.statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
    console.log(
      `${kind}: ${load.sent} requests of ${numberOfClients} clients (${statuses.join(', ')}), ` +
        `${violations.length} violations, checked in ${Math.round(performance.now() - start)} ms, PROVE_SEED=${seed}`,
    )
    expect(violations.slice(0, 5)).toEqual([])
    expect(load.unknown).toBeLessThan(load.sent / 10)
    expect([...load.statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 204, 304, 404, 412]))
  })
})

describe('the check of what clients see', () => {
  const over = forAll()
  let bases: readonly string[] = []
  beforeAll(async () => {
    bases = await onSqlite(0, over)
  })

  it.each(Object.entries(faults))('finds %s', { timeout: 120_000 }, async (name, { fault, kinds: told }) => {
    const random = randomFrom(1)
    const clients = clientsOf(bases)
    const load = new Load(randomFrom(2), `${name.replaceAll(' ', '-')}-`)
    await load.run(
      clients.map((send) => fault(send, random)),
      1000,
    )
    await load.clear(clients[0] as Send)
    expect(load.seen.violations().map(({ kind }) => kind)).toEqual(
      expect.arrayContaining([expect.toBeOneOf([...told])]),
    )
  })

  it('finds nothing where there is nothing', { timeout: 120_000 }, async () => {
    const load = new Load(randomFrom(2))
    await load.run(clientsOf(bases), 1000)
    expect(load.seen.violations()).toEqual([])
  })
})
