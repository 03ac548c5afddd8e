import { expect, it } from 'vitest'
import { ratio, spread } from './statistic.ts'

it('uses the middle value of an odd number of rounds', () => {
  expect(spread([30, 10, 20])).toEqual({ median: 20, least: 10, most: 30 })
})

it('uses the mean of the two middle values of an even number of rounds', () => {
  expect(spread([4, 1, 3, 10])).toEqual({ median: 3.5, least: 1, most: 10 })
})

it('compares within rounds, so that a slow round affects both sides', () => {
  const [service, limit] = [
    [80, 8, 81],
    [100, 10, 100],
  ]
  expect(ratio(service, limit)).toEqual({ median: 0.8, least: 0.8, most: 0.81 })
})
