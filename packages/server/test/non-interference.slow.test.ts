// Visibility as non-interference: two worlds that differ only in records that a caller does not see give the same answers.
import { audience } from '@nomen/testing/openid-provider'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareWorlds, type Place, type Step, Tally } from './interference/pair.ts'
import { staffService } from './interference/staff.ts'
import { planArbitrary, worldsOf } from './interference/worlds.ts'
import { bearer, claims, providedOnce, signed } from './issued.ts'

const provider = providedOnce()

const databases: Readonly<Record<string, Place['database']>> = {
  SQLite: async () => ({ address: 'sqlite::memory:', remove: async () => undefined }),
  PostgreSQL: async () => {
    const { url, remove } = await temporaryPostgres()
    return { address: url, remove }
  },
}

async function placeOn(kind: string): Promise<Place> {
  const { issuer } = provider()
  const exp = Math.floor(Date.now() / 1000) + 7200
  const token = async (user: string, tenant: string, scope: string) =>
    bearer(await signed(claims(issuer, { sub: user, preferred_username: user, tenant, scope, exp })))
  return {
    settings: { auth: { issuer, audience }, onFault: () => undefined },
    caller: await token('ada', 'NORTH', '*:read *:write'),
    auditor: await token('root', 'SOUTH', '*:read *:write audit'),
    database: databases[kind] as Place['database'],
  }
}

const step: fc.Arbitrary<Step> = fc.record({
  operation: fc.nat(0xffff),
  isHidden: fc.constantFrom(false, false, false, false, false, false, false, true),
  tape: fc.array(fc.nat(0xffff), { maxLength: 32, size: 'max' }),
})
const steps = fc.array(step, { minLength: 1, maxLength: 150, size: 'max' })

describe.each(Object.keys(databases))('on %s', (kind) => {
  it('answers the same whatever is hidden', { timeout: 600_000 }, async () => {
    const place = await placeOn(kind)
    const tally = new Tally()
    const start = performance.now()
    const property = fc.asyncProperty(fc.noBias(planArbitrary), fc.noBias(steps), (plan, sequence) =>
      compareWorlds(worldsOf(plan), sequence, place, tally),
    )
    await fc.assert(property, { seed: 1, numRuns: 20 })
    console.log(
      kind,
      tally.requests,
      tally.done,
      tally.changes,
      tally.admitted, Object.entries(tally.kinds).sort(),
      tally.operations.size,
      performance.now() - start,
    )
    expect(staffService.operations.length).toBeGreaterThan(100)
  })
})
