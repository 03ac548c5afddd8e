import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold } from './fold.ts'

// Beyond the first two planes no character has case.
const characters = Array.from({ length: 0x20000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))

const anyText = fc.string({ unit: 'binary' })
const casedText = fc.string({ unit: fc.constantFrom(...'aAzZßẞſsSσςΣİıiI\u0307ﬁŉǰΐᾳᾼᏸꭰ') })

describe('fold', () => {
  it.each([
    ['STRASSE', 'straße'],
    ['STRAẞE', 'Straße'],
    ['ΟΔΟΣ', 'οδος'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
    ['ﬁ', 'FI'],
    ['Ǆ', 'ǆ'],
  ])('gives %s and %s one form', (one, other) => {
    expect(fold(one)).toBe(fold(other))
  })

  it('keeps composed and decomposed characters apart', () => {
    expect(fold('\u00e9')).not.toBe(fold('e\u0301'))
  })

  it('gives every character one form with its upper and its lower case', () => {
    const wrong = characters.filter((one) => {
      return (
        fold(one) !== fold(one.toUpperCase()) || fold(one) !== fold(one.toLowerCase()) || fold(fold(one)) !== fold(one)
      )
    })
    expect(wrong).toEqual([])
  })

  it('folds each character for itself, so that what a text contains it still contains', () => {
    for (const text of [anyText, casedText]) {
      fc.assert(fc.property(text, text, (one, other) => fold(one + other) === fold(one) + fold(other)))
    }
  })

  it('never changes a text that is folded already', () => {
    for (const text of [anyText, casedText]) fc.assert(fc.property(text, (one) => fold(fold(one)) === fold(one)))
  })
})
