/** The model test: the service responds as the model expects, with any database. */
import { numberOfRuns } from '@nomen/testing/prove'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sample } from '../../src/sample.ts'
import { collections, methodsAt, type Target, templateOf } from './collection.ts'
import type { Service } from './request.ts'
import { Disagreement, run, type Tally } from './run.ts'
import { Sequence } from './sequence.ts'
import { worldOf } from './world.ts'

const seed = Number(process.env.MODEL_SEED ?? 20_261_115)
const defaultSteps = Number(process.env.MODEL_STEPS ?? numberOfRuns(2_000, 10_000))
const meanLength = 100
/** Enough time for a slow machine, and for shrinking a failing sequence. */
const timeoutMs = 200_000 * Math.max(1, defaultSteps / 10_000)

/** `openService` opens a service on a new database with this many sample users. */
export function modelSuite(
  name: string,
  openService: (users: number) => Promise<Service>,
  steps: number = defaultSteps,
): void {
  describe(name, () => {
    it('agrees with the model if it starts with the sample', { timeout: timeoutMs + 60_000 }, async () => {
      const tally = await expectAgreement(openService, 12, 2, steps)
      // Only a long run is certain to cover everything.
      if (steps >= 10_000) expect(missingCoverage(tally)).toEqual([])
    })

    it('agrees with the model if it starts empty', { timeout: timeoutMs + 60_000 }, async () => {
      await expectAgreement(openService, 0, 6, steps / 3)
    })
  })
}

async function expectAgreement(
  openService: (users: number) => Promise<Service>,
  users: number,
  growth: number,
  requests: number,
) {
  const tally: Tally = new Map()
  const sequence = new Sequence(growth, 2 * meanLength)
  const property = fc.asyncProperty(sequence, async (commands) => {
    const service = await openService(users)
    try {
      await run(service, worldOf(sample(users)), commands, tally)
    } catch (error) {
      if (error instanceof Disagreement) sequence.failedStep.set(commands, error.commandIndex)
      throw error
    } finally {
      await service.close()
    }
  })
  const numRuns = Math.ceil(requests / meanLength)
  const result = await fc.check(property, { seed, numRuns, interruptAfterTimeLimit: timeoutMs })
  if (result.failed) {
    if (!(result.errorInstance instanceof Disagreement)) throw result.errorInstance
    const { message } = result.errorInstance
    throw new Error(`MODEL_SEED=${seed} MODEL_STEPS=${defaultSteps}, shrunk ${result.numShrinks} times:\n${message}`)
  }
  console.log(`MODEL_SEED=${seed}: ${countRequests(tally)} requests in ${result.numRuns} runs from ${users} users`)
  return tally
}

function countRequests(tally: Tally): number {
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

/** The missing coverage of the runs: operations without a success, problems that never occurred. */
function missingCoverage(tally: Tally): string[] {
  const successes = collections.flatMap((collection) => {
    const { lists, lookup } = collection.view
    const base = { collection, ids: [], value: '', suffix: '' }
    const targets: Target[] = Object.keys(lists).map((suffix) => ({ ...base, kind: 'list', suffix }))
    targets.push({ ...base, kind: 'record' })
    if (lookup && !collection.parent) targets.push({ ...base, kind: 'lookup' })
    return targets.flatMap((target) =>
      methodsAt(target).map((method) => `${method} ${templateOf(target)} ${method === 'POST' ? 201 : 200}`),
    )
  })
  return [...successes, 'GET /user/{} 304', ...codes].filter((key) => !tally.has(key))
}
