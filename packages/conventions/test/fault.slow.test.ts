// The check reports each deviation of a service from the conventions, and reports nothing about a correct service.
import { type CheckOutcome, checkService, checks } from '@nomen/conventions'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openPoints } from './fault/not-specified.ts'
import { faults } from './fault/table.ts'
import { libraryFetch } from './library.ts'
import type { Behavior } from './library-behavior.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Checks the library in process: about 700 requests for each fault need no port. `check.slow.test.ts` uses one. */
async function findings(behavior: Partial<Behavior>, outcome: CheckOutcome, isStrict = false) {
  vi.stubGlobal('fetch', libraryFetch(behavior))
  const { results } = await checkService({
    base: 'http://library',
    isWriting: true,
    isStrict,
    seed: 'a',
    maxRequests: 1000,
  })
  return results.filter((result) => result.outcome === outcome)
}

async function codesOf(behavior: Partial<Behavior>, outcome: CheckOutcome = 'failed'): Promise<string[]> {
  return [...new Set((await findings(behavior, outcome)).map(({ code }) => code))].sort()
}

describe('the check reports that', () => {
  it.each(faults.map((fault) => [fault.name, fault] as const))('%s', async (_, { behavior, caughtBy }) => {
    expect(await codesOf(behavior)).toEqual([...caughtBy].sort())
  })
})

describe('the check reports as not specified, and fails only in strict mode, that', () => {
  it.each(openPoints.map((point) => [point.name, point] as const))('%s', async (_, { behavior, caughtBy }) => {
    expect(await codesOf(behavior)).toEqual([])
    expect(await codesOf(behavior, 'not specified')).toEqual(caughtBy)
    const failures = await findings(behavior, 'failed', true)
    expect([...new Set(failures.map(({ code }) => code))]).toEqual(caughtBy)
    for (const { curl } of failures) expect(curl).toMatch(/^curl -i /)
  })
})

it('covers every check with at least one fault', () => {
  const caught: ReadonlySet<string> = new Set([...faults, ...openPoints].flatMap(({ caughtBy }) => caughtBy))
  const others = Object.keys(checks).filter((code) => !caught.has(code) && !code.startsWith('fuzz-'))
  // The access log and malformed requests have separate tests.
  expect(others).toEqual(['log-line', 'log-format'])
})
