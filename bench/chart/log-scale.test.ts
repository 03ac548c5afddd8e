import { expect, it } from 'vitest'
import { logScale } from './log-scale.ts'

it('ranges from the power of ten below the minimum to the one above the maximum', () => {
  const { positionOf, ticks } = logScale([3, 40, 700], [0, 300])
  expect(ticks).toEqual([1, 10, 100, 1000])
  expect([1, 10, 1000].map(positionOf)).toEqual([0, 100, 300])
})

it('ends at the maximum if it is tight, with the lower ticks', () => {
  const { positionOf, ticks } = logScale([0.2, 50], [100, 400], { isTight: true })
  expect(ticks).toEqual([0.1, 1, 10])
  expect(positionOf(50)).toBeCloseTo(400)
})

it('runs downwards if the start is greater than the end', () => {
  expect(logScale([1, 100], [200, 0]).positionOf(10)).toBe(100)
})

it('adds no step for values that are powers of ten', () => {
  expect(logScale([0.001, 1000], [0, 1]).ticks).toEqual([0.001, 0.01, 0.1, 1, 10, 100, 1000])
})

it('has at least two ticks', () => {
  expect(logScale([10], [0, 1]).ticks).toEqual([10, 100])
})

it.each([[[]], [[1, 0]], [[Number.NaN]]])('rejects %j, which it cannot show', (values) => {
  expect(() => logScale(values, [0, 1])).toThrow(/No scale can show/)
})
