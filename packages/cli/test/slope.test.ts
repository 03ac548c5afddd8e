import { expect, it } from 'vitest'
import { growth, median } from './slope.ts'

it('finds the middle of figures', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
})

it('finds what grows, whatever a few odd figures say', () => {
  expect(growth([1, 2, 3, 4, 5])).toBe(4)
  expect(growth([1, 2, 300, 4, 5, 6, 7])).toBe(6)
})

it('finds no growth in figures that only go up and down', () => {
  expect(growth([5, 5, 5, 90, 5, 5, 5])).toBe(0)
  expect(growth([])).toBe(0)
})
