import { expect, it } from 'vitest'
import { logScale } from './log-scale.ts'

it('goes from the power of ten below the least value to the one above the most', () => {
  const { at, ticks } = logScale([3, 40, 700], [0, 300])
  expect(ticks).toEqual([1, 10, 100, 1000])
  expect([1, 10, 1000].map(at)).toEqual([0, 100, 300])
})

it('ends at the most itself where it is tight, with the ticks that lie before', () => {
  const { at, ticks } = logScale([0.2, 50], [100, 400], { isTight: true })
  expect(ticks).toEqual([0.1, 1, 10])
  expect(at(50)).toBeCloseTo(400)
})

it('runs downwards where the start lies below the end', () => {
  expect(logScale([1, 100], [200, 0]).at(10)).toBe(100)
})

it('adds no step for values that are powers of ten themselves', () => {
  expect(logScale([0.001, 1000], [0, 1]).ticks).toEqual([0.001, 0.01, 0.1, 1, 10, 100, 1000])
})

it('has two ticks at least, or one value would lie nowhere', () => {
  expect(logScale([10], [0, 1]).ticks).toEqual([10, 100])
})

it.each([[[]], [[1, 0]], [[Number.NaN]]])('refuses %j, which it cannot show', (values) => {
  expect(() => logScale(values, [0, 1])).toThrow(/No scale can show/)
})
