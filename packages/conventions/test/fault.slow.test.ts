/** A service that is bent in one place fails in that place, and the upright one nowhere. */
import { type CheckOutcome, checkService, checks } from '@nomen/conventions'
import { describe, expect, it } from 'vitest'
import { faults, openPoints } from './fault.ts'
import { type Behaviour, library } from './library.ts'

async function codesOf(
  bent: Partial<Behaviour>,
  outcome: CheckOutcome = 'failed',
  isStrict = false,
): Promise<string[]> {
  const { base, close } = await library(bent)
  try {
    const { results } = await checkService({ base, isWriting: true, isStrict, seed: 'a' })
    return [...new Set(results.filter((one) => one.outcome === outcome).map(({ code }) => code))].sort()
  } finally {
    await close()
  }
}

describe('the check catches it where', () => {
  it.each(faults.map((fault) => [fault.name, fault] as const))('%s', async (_, { bent, caughtBy }) => {
    expect(await codesOf(bent)).toEqual([...caughtBy].sort())
  })
})

describe('the check leaves it open, unless it is strict, where', () => {
  it.each(openPoints.map((point) => [point.name, point] as const))('%s', async (_, { bent, caughtBy }) => {
    expect(await codesOf(bent)).toEqual([])
    expect(await codesOf(bent, 'not specified')).toEqual(caughtBy)
    expect(await codesOf(bent, 'failed', true)).toEqual(caughtBy)
  })
})

it('has no check that catches nothing', () => {
  const caught: ReadonlySet<string> = new Set([...faults, ...openPoints].flatMap(({ caughtBy }) => caughtBy))
  const others = Object.keys(checks).filter((code) => !caught.has(code) && !code.startsWith('fuzz-'))
  // the access log has tests of its own, and so have bent requests
  expect(others).toEqual(['log-line', 'log-format'])
})
