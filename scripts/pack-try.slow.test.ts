import { expect, it } from 'vitest'
import { packTry } from './pack-try.ts'

it('lets a new user begin with the packed packages, on every Node that is promised', { timeout: 600_000 }, async () => {
  const told: string[] = []
  await packTry((message) => told.push(message))
  expect(told.at(-1)).toBe('Its types hold as Node finds packages, and as bundlers do.')
  expect(told).toContain(`On Node ${process.version} it passes its tests, is served, called and checked.`)
})
