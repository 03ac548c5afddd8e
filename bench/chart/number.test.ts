import { expect, it } from 'vitest'
import { inWords, short, wholeNumber } from './number.ts'

it.each([
  [0, '0'],
  [0.0123, '0.012'],
  [0.345, '0.34'],
  [7.251, '7.25'],
  [48.06, '48.1'],
  [512.4, '512'],
  [12_345.6, '12,346'],
])('writes %d as %s', (value, text) => {
  expect(short(value)).toBe(text)
})

it('groups the digits of integers', () => {
  expect(wholeNumber(1_234_567.8)).toBe('1,234,568')
})

it.each([
  [200, '200'],
  [1000, '1 thousand'],
  [10_000_000, '10 million'],
])('writes %d in words as %s', (value, text) => {
  expect(inWords(value)).toBe(text)
})
