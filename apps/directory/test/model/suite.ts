/** The model test: any service of the directory, whatever its database, agrees with the model. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sample } from '../../src/sample.ts'
import { collections, methodsAt, type Place, templateOf } from './collection.ts'
import type { Service } from './request.ts'
import { Disagreement, run, type Tally } from './run.ts'
import { Sequence } from './sequence.ts'
import { worldOf } from './world.ts'

const seed = Number(process.env.MODEL_SEED ?? 20_261_115)
const usualSteps = Number(process.env.MODEL_STEPS ?? 10_000)
const meanLength = 100
/** Enough for a slow machine, and for making a failing sequence short; milliseconds. */
const patience = 200_000 * Math.max(1, usualSteps / 10_000)

/** `openService` gives a fresh service on an empty database with that many sample users in it. */
export function modelSuite(
  name: string,
  openService: (users: number) => Promise<Service>,
  steps: number = usualSteps,
): void {
  describe(name, () => {
    it('agrees with the model from the sample on', { timeout: patience + 60_000 }, async () => {
      const tally = await agree(openService, 12, 2, steps)
      // Only a long run is sure to have seen everything.
      if (steps >= 10_000) expect(unseen(tally)).toEqual([])
    })

    it('agrees with the model from nothing on', { timeout: patience + 60_000 }, async () => {
      await agree(openService, 0, 6, steps / 3)
    })
  })
}

async function agree(openService: (users: number) => Promise<Service>, users: number, growth: number, wanted: number) {
  const tally: Tally = new Map()
  const sequence = new Sequence(growth, 2 * meanLength)
  const property = fc.asyncProperty(sequence, async (commands) => {
    const service = await openService(users)
    try {
      await run(service, worldOf(sample(users)), commands, tally)
    } catch (thrown) {
      if (thrown instanceof Disagreement) sequence.failedAt.set(commands, thrown.at)
      throw thrown
    } finally {
      await service.close()
    }
  })
  const numRuns = Math.ceil(wanted / meanLength)
  const details = await fc.check(property, { seed, numRuns, interruptAfterTimeLimit: patience })
  if (details.failed) {
    if (!(details.errorInstance instanceof Disagreement)) throw details.errorInstance
    const { message } = details.errorInstance
    throw new Error(`MODEL_SEED=${seed} MODEL_STEPS=${usualSteps}, shrunk ${details.numShrinks} times:\n${message}`)
  }
  console.log(`MODEL_SEED=${seed}: ${requestsIn(tally)} requests in ${details.numRuns} runs from ${users} users`)
  return tally
}

function requestsIn(tally: Tally): number {
  return [...tally].reduce((sum, [key, count]) => (key.includes(' ') ? sum + count : sum), 0)
}

const codes = [
  'malformed-json',
  'invalid-body',
  'body-not-allowed',
  'unknown-parameter',
  'invalid-parameter',
  'invalid-header',
  'path-not-found',
  'record-not-found',
  'method-not-allowed',
  'identity-mismatch',
  'value-taken',
  'still-referenced',
  'precondition-failed',
  'unsupported-media-type',
  'reference-not-found',
  'rule-broken',
  'idempotency-key-reused',
]

/** What the runs should have met and have not: operations that succeeded, problems of every kind. */
function unseen(tally: Tally): string[] {
  const successes = collections.flatMap((collection) => {
    const { lists, lookup } = collection.face
    const here = { collection, ids: [], value: '', suffix: '' }
    const places: Place[] = Object.keys(lists).map((suffix) => ({ ...here, kind: 'list', suffix }))
    places.push({ ...here, kind: 'one' })
    if (lookup && !collection.parent) places.push({ ...here, kind: 'lookup' })
    return places.flatMap((place) =>
      methodsAt(place).map((method) => `${method} ${templateOf(place)} ${method === 'POST' ? 201 : 200}`),
    )
  })
  return [...successes, 'GET /user/{} 304', ...codes].filter((key) => !tally.has(key))
}
