// Many clients at several processes of one database: what they see is what one copy of the records would have shown them.
import { often, patience, proofSeed, seedNumber, unhurried } from '@nomen/testing/prove'
import { randomFrom } from '@nomen/testing/random'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { describe, expect, it } from 'vitest'
import { ask, connections } from './ask.ts'
import { serviceFolder } from './folder.ts'
import { faults } from './linearizable/faulty.ts'
import { ledger } from './linearizable/ledger.ts'
import { Load, type Send } from './linearizable/load.ts'
import { serve } from './nomen.ts'
import { forTest } from './over.ts'

const numberOfClients = 12
const requests = often(8000, 120_000)

/** Serves the ledger by two processes on one database; gives their addresses. */
const served: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  'SQLite with two workers': async () => {
    const folder = serviceFolder({ 'service.ts': ledger })
    return [(await serve(['--workers', '2'], { folder, environment: unhurried })).base]
  },
  'two instances on PostgreSQL': async () => {
    const { url, remove } = await temporaryPostgres()
    forTest(remove)
    const one = async () => {
      const folder = serviceFolder({ 'service.ts': ledger })
      return (await serve(['--database', url], { folder, environment: unhurried })).base
    }
    return [await one(), await one()]
  },
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

describe.each(Object.keys(served))('%s', (kind) => {
  it('shows each client a state between its request and the answer', patience(180_000, 3_600_000), async () => {
    const seed = proofSeed()
    const bases = (await served[kind]?.()) ?? []
    const load = new Load(randomFrom(seedNumber(seed)))
    await load.run(clientsOf(bases), requests)
    const start = performance.now()
    const violations = load.seen.violations()
    const statuses = [...load.statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
    console.log(
      `${kind}: ${load.sent} requests of ${numberOfClients} clients (${statuses.join(', ')}), ${violations.length} violations, ` +
        `checked in ${Math.round(performance.now() - start)} ms, PROVE_SEED=${seed}`,
    )
    expect(violations.slice(0, 5)).toEqual([])
    expect(load.unknown).toBeLessThan(load.sent / 10)
    expect([...load.statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 204, 304, 404, 412]))
  })
})

describe('a way to the service that makes mistakes', () => {
  it.each(Object.keys(faults))('is found by %s', { timeout: 120_000 }, async (name) => {
    const { fault, kinds } = faults[name] ?? { fault: (send: Send) => send, kinds: [] }
    const bases = (await served['SQLite with two workers']?.()) ?? []
    const random = randomFrom(1)
    const load = new Load(randomFrom(2))
    await load.run(
      clientsOf(bases).map((send) => fault(send, random)),
      1500,
    )
    expect(load.seen.violations().map(({ kind }) => kind)).toEqual(
      expect.arrayContaining([expect.toBeOneOf([...kinds])]),
    )
  })
})
