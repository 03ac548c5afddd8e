// Visibility as non-interference: two worlds that differ only in records that a caller does not see give the same responses.

import { open } from '@nomen/server'
import { audience } from '@nomen/testing/openid-provider'
import { numberOfRuns, proofSeed, seedNumber, timeoutOption } from '@nomen/testing/prove'
import { type Template, temporaryPostgres } from '@nomen/testing/shared-postgres'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareWorlds, type Setup, type Step, Tally } from './interference/pair.ts'
import { staffService } from './interference/staff.ts'
import { planArbitrary, worldsOf } from './interference/worlds.ts'
import { bearer, claims, providedOnce, signed } from './issued.ts'

const provider = providedOnce()

/** The tables without records: each world is loaded into a copy. */
const template: Template = {
  name: 'interference',
  fill: async (url) => (await open(staffService, { database: url, usage: false })).close(),
}

const databases: Readonly<Record<string, Setup['database']>> = {
  SQLite: async () => ({ address: 'sqlite::memory:', remove: async () => undefined }),
  PostgreSQL: async () => {
    const { url, remove } = await temporaryPostgres(template)
    return { address: url, remove }
  },
}

async function setupOn(kind: string): Promise<Setup> {
  const { issuer } = provider()
  const exp = Math.floor(Date.now() / 1000) + 36_000
  const token = async (user: string, tenant: string, scope: string) =>
    bearer(await signed(claims(issuer, { sub: user, preferred_username: user, tenant, scope, exp })))
  return {
    settings: { auth: { issuer, audience }, onFault: () => undefined },
    caller: await token('ada', 'NORTH', '*:read *:write'),
    auditor: await token('root', 'SOUTH', '*:read *:write audit'),
    database: databases[kind] as Setup['database'],
  }
}

const step: fc.Arbitrary<Step> = fc.record({
  operation: fc.nat(0xffff),
  isHidden: fc.constantFrom(false, false, false, false, false, false, false, true),
  tape: fc.array(fc.nat(0xffff), { maxLength: 32, size: 'max' }),
})
const steps = fc.array(step, { minLength: 1, maxLength: 240, size: 'max' })

/** The number of pairs of worlds, with about 80 requests to both worlds of each. */
const pairs: Readonly<Record<string, number>> = { SQLite: numberOfRuns(8, 320), PostgreSQL: numberOfRuns(4, 320) }

/** For how long a smaller example of a failure is looked for. */
const shrinkMs = numberOfRuns(60_000, 300_000)

describe.each(Object.keys(databases))('hidden records on %s', (kind) => {
  it('do not change any response to a caller who does not see them', timeoutOption(300_000, 3_600_000), async () => {
    const seed = proofSeed()
    const setup = await setupOn(kind)
    const tally = new Tally()
    let failedAt = Number.POSITIVE_INFINITY
    // Sequences come first, and are made smaller first: then it takes less time to make the worlds smaller.
    const property = fc.asyncProperty(fc.noBias(steps), fc.noBias(planArbitrary), async (sequence, plan) => {
      if (performance.now() > failedAt + shrinkMs) return
      try {
        await compareWorlds(worldsOf(plan), sequence, setup, tally)
      } catch (error) {
        failedAt = Math.min(failedAt, performance.now())
        throw error
      }
    })
    const run = await fc.check(property, { seed: seedNumber(seed), numRuns: pairs[kind] ?? 0 })
    if (run.failed) {
      const reason = run.errorInstance instanceof Error ? run.errorInstance.message : run.errorInstance
      throw new Error(`PROVE_SEED=${seed} repeats this.\n${reason}`)
    }
    const admitted = [...tally.admitted].map(([reason, count]) => `${count} × ${reason}`)
    console.log(
      `${kind}: ${tally.requests} requests compared in ${run.numRuns} pairs of worlds, ${tally.done} of them done, ` +
        `${tally.changes} changes of hidden records, PROVE_SEED=${seed}; admitted differences: ${admitted.join(', ')}`,
    )
    expect(tally.done).toBeGreaterThan(tally.requests / 4)
    expect(tally.requests).toBeGreaterThan((pairs[kind] ?? 0) * 20)
    // With few pairs of worlds, chance may leave some out.
    if (tally.requests > 500)
      expect([...tally.kinds].sort()).toEqual(
        [...new Set(staffService.operations.map((operation) => operation.kind))].sort(),
      )
    if (tally.requests > 10_000) expect(tally.operations.size).toBe(staffService.operations.length)
  })
})
