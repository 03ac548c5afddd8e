import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold, foldAccents } from './fold.ts'

// Characters beyond the first two planes have no case.
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
  ])('gives %s and %s the same form', (first, second) => {
    expect(fold(first)).toBe(fold(second))
  })

  it('keeps composed and decomposed characters apart', () => {
    expect(fold('\u00e9')).not.toBe(fold('e\u0301'))
  })

  it('gives a character the same form as its upper and lower case', () => {
    const wrong = characters.filter((character) => {
      return (
        fold(character) !== fold(character.toUpperCase()) ||
        fold(character) !== fold(character.toLowerCase()) ||
        fold(fold(character)) !== fold(character)
      )
    })
    expect(wrong).toEqual([])
  })

  it('folds each character separately, so that a contained string stays contained', () => {
    for (const text of [anyText, casedText]) {
      fc.assert(fc.property(text, text, (first, second) => fold(first + second) === fold(first) + fold(second)))
    }
  })

  it('never changes a folded string', () => {
    for (const text of [anyText, casedText]) fc.assert(fc.property(text, (value) => fold(fold(value)) === fold(value)))
  })
})

describe('folding without accents', () => {
  it.each([
    ['Müller', 'MULLER'],
    ['Łódź', 'lodz'],
    ['Ångström', 'angstrom'],
    ['SØREN', 'soren'],
    ['Ǽr', 'aer'],
    ['Þór', 'thor'],
    ['İstanbul', 'istanbul'],
    ['Ελλάς', 'ΕΛΛΑΣ'],
    ['Ёлка', 'елка'],
    ['\u00e9', 'e\u0301'],
    ['Straße', 'strasse'],
  ])('gives %s and %s the same form', (first, second) => {
    expect(foldAccents(first)).toBe(foldAccents(second))
  })

  it('keeps letters that are not accents', () => {
    for (const text of ['한글', 'が', 'हिन्दी', 'שָׁלוֹם', 'ก็']) expect(foldAccents(text)).toBe(text)
  })

  it('gives a character the same form as its upper and lower case, and never changes a folded string', () => {
    const wrong = characters.filter((character) => {
      const folded = foldAccents(character)
      return [character.toUpperCase(), character.toLowerCase(), folded].some((form) => foldAccents(form) !== folded)
    })
    expect(wrong).toEqual([])
  })

  it('folds each character separately, so that a contained string stays contained', () => {
    const accented = fc.string({ unit: fc.constantFrom(...'aäeéoøæßŁİı\u0301\u0323\u0307가각') })
    for (const text of [anyText, casedText, accented])
      fc.assert(
        fc.property(
          text,
          text,
          (first, second) => foldAccents(first + second) === foldAccents(first) + foldAccents(second),
        ),
      )
  })
})
