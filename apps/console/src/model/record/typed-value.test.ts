// Values as people type them.
import { expect, it } from 'vitest'
import { formatFor } from '../../language/format.ts'
import { linkOf, pickedColor, plainNumber } from './typed-value.ts'

it.each([
  ['de', '12,50', '12.50'],
  ['de', ' -0,5 ', '-0.5'],
  ['de', '1.499,90', '1.499,90'],
  ['en', '12,50', '12,50'],
  ['en', '12.50', '12.50'],
])('reads a number in %s: %s as %s', (locale, typed, plain) => {
  expect(plainNumber(typed, formatFor(locale).decimalSign)).toBe(plain)
})

it.each([
  ['en', '1499.90', '1,499.90'],
  ['de', '-1234567890123456.789', '-1.234.567.890.123.456,789'],
  ['en', 'abc', 'abc'],
])('writes a decimal in %s with all its digits: %s as %s', (locale, value, shown) => {
  expect(formatFor(locale).decimal(value)).toBe(shown)
})

it.each([
  ['email', 'ada@example.com', 'mailto:ada@example.com'],
  // A stored value cannot add recipients.
  ['email', 'ada+x@example.com?bcc=eve', 'mailto:ada%2Bx@example.com%3Fbcc%3Deve'],
  ['email', 'ada', undefined],
  ['url', 'https://example.com', 'https://example.com/'],
  ['url', 'javascript:alert(1)', undefined],
  ['url', 'example.com', undefined],
] as const)('links the %s %s to %s', (kind, value, href) => {
  expect(linkOf(kind, value)).toBe(href)
})

it.each([
  ['#0B7285', '#0b7285'],
  ['#F0a', '#ff00aa'],
  ['red', '#000000'],
])('shows %s in a color picker as %s', (value, picked) => {
  expect(pickedColor(value)).toBe(picked)
})
