/** A service that is bent in one place fails in that place, and the upright one nowhere. */
import { catalogue, checkService } from '@nomen/conventions'
import { describe, expect, it } from 'vitest'
import { faults } from './fault.ts'
import { type Behaviour, library } from './library.ts'

async function codesOf(bent: Partial<Behaviour>): Promise<string[]> {
  const { base, close } = await library(bent)
  try {
    const { results } = await checkService({ base, isWriting: true, seed: 'a' })
    return [...new Set(results.filter(({ outcome }) => outcome === 'failed').map(({ code }) => code))].sort()
  } finally {
    await close()
  }
}

describe('the check catches it where', () => {
  it.each(faults.map((fault) => [fault.name, fault] as const))('%s', async (_, { bent, caughtBy }) => {
    expect(await codesOf(bent)).toEqual([...caughtBy].sort())
  })
})

it('has no check that catches nothing', () => {
  const caught: ReadonlySet<string> = new Set(faults.flatMap(({ caughtBy }) => caughtBy))
  const others = Object.keys(catalogue).filter((code) => !caught.has(code))
  // what is open, and the access log, have tests of their own
  expect(others).toEqual(['page-size', 'log-line', 'log-format'])
})
