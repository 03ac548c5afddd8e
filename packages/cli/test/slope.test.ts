import { expect, it } from 'vitest'
import { growth, median } from './slope.ts'

it('computes the median', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
})

it('detects growth despite a few outliers', () => {
  expect(growth([1, 2, 3, 4, 5])).toBe(4)
  expect(growth([1, 2, 300, 4, 5, 6, 7])).toBe(6)
})

it('detects no growth in values that only fluctuate', () => {
  expect(growth([5, 5, 5, 90, 5, 5, 5])).toBe(0)
  expect(growth([])).toBe(0)
})
