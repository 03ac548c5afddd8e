import type { Collation } from '@nomen/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxSortedLength, sortKey } from './sort-key.ts'

/** The letters of each language, with those of neighbors that its alphabet has a place for. */
const alphabets: Readonly<Record<Collation, string>> = {
  root: 'abcdefghijklmnopqrstuvwxyzàâäéèêëïîôöùûüÿçñßæœøåłđðþāăąćčďęěğįıķľńňőŕřśšşťůűųźžż',
  cs: 'aábcčdďeéěfghiíjklmnňoópqrřsštťuúůvwxyýzž',
  da: 'abcdefghijklmnopqrstuvwxyzæøåéäöü',
  de: 'abcdefghijklmnopqrstuvwxyzäöüß',
  en: 'abcdefghijklmnopqrstuvwxyz',
  es: 'abcdefghijklmnopqrstuvwxyzñáéíóúü',
  et: 'abcdefghijklmnopqrsšzžtuvwõäöüxy',
  fi: 'abcdefghijklmnopqrstuvwxyzåäöšžüéæø',
  fr: 'abcdefghijklmnopqrstuvwxyzàâæçéèêëîïôœùûüÿ',
  hr: 'abcčćdđefghijklmnopqrsštuvwxyzž',
  hu: 'aábcdeéfghiíjklmnoóöőpqrstuúüűvwxyz',
  it: 'abcdefghijklmnopqrstuvwxyzàèéìòù',
  lt: 'aąbcčdeęėfghiįyjklmnopqrsštuųūvwxzž',
  lv: 'aābcčdeēfgģhiījkķlļmnņopqrŗsštuūvwxyzžō',
  nb: 'abcdefghijklmnopqrstuvwxyzæøåéäöü',
  nl: 'abcdefghijklmnopqrstuvwxyzëïéè',
  nn: 'abcdefghijklmnopqrstuvwxyzæøåéäöü',
  pl: 'aąbcćdeęfghijklłmnńoópqrsśtuvwxyzźż',
  pt: 'abcdefghijklmnopqrstuvwxyzáâãàçéêíóôõú',
  ro: 'aăâbcdefghiîjklmnopqrsștțuvwxyzşţ',
  sk: 'aáäbcčdďeéfghiíjklĺľmnňoóôpqrŕřsštťuúvwxyýzž',
  sl: 'abcčćdđefghijklmnopqrsštuvwxyzž',
  sv: 'abcdefghijklmnopqrstuvwxyzåäöéüæø',
  tr: 'abcçdefgğhıijklmnoöprsştuüvyzqwx',
}

function compare(collation: Collation, first: string, second: string): number {
  const [firstKey, secondKey] = [sortKey(first, collation), sortKey(second, collation)]
  return Buffer.compare(Buffer.from(firstKey), Buffer.from(secondKey))
}

/** Letters of two or three characters, and strings that look like them. */
const digraphs: { readonly [Name in Collation]?: string } = {
  cs: 'ch Ch cH',
  da: 'aa Aa',
  hr: 'dž lj nj Dž Lj Nj lJ',
  hu: 'cs dz dzs gy ly ny sz ty zs ccs ddz ddzs ggy lly nny ssz tty zzs Cs Ccs CCs cS',
  nb: 'aa Aa',
  nn: 'aa Aa',
  sk: 'ch Ch cH',
}

const collations = Object.keys(alphabets) as Collation[]

function collatorOf(collation: Collation): Intl.Collator {
  return new Intl.Collator(collation === 'root' ? 'en' : collation)
}

/** The pairs of strings that Intl.Collator has in another order. */
function disagreements(collation: Collation, texts: readonly string[]): readonly string[] {
  const collator = collatorOf(collation)
  const keys = texts.map((text) => Buffer.from(sortKey(text, collation)))
  return texts.flatMap((first, index) =>
    texts.flatMap((second, at) => {
      const order = Buffer.compare(keys[index] as Buffer, keys[at] as Buffer)
      return order === Math.sign(collator.compare(first, second)) ? [] : [`${first} ${second}`]
    }),
  )
}

function sorted(collation: Collation, texts: string): string {
  return texts
    .split(' ')
    .sort((a, b) => compare(collation, a, b))
    .join(' ')
}

// The tables agree with CLDR 48. If a later version of Node disagrees, decide whether to follow, and raise `sortKeyVersion`.
describe('the order of sort keys', () => {
  it.each(collations)('%s agrees with Intl.Collator', (collation) => {
    const [collator, letters] = [collatorOf(collation), alphabets[collation]]
    const upper = [...letters].map((letter) => letter.toLocaleUpperCase(collation === 'tr' ? 'tr' : 'en'))
    const characters = [...letters, ...letters, ...upper.filter((letter) => letter.length === 1), ...' -.019']
    const character = fc.constantFrom(...characters)
    // Two words of few different characters, so that they are often equal up to accents or case.
    const words = fc
      .uniqueArray(character, { minLength: 1, maxLength: 3 })
      .chain((few) =>
        fc.tuple(fc.array(fc.constantFrom(...few)), fc.array(fc.oneof(fc.constantFrom(...few), character))),
      )
    fc.assert(
      fc.property(words, ([firstWord, secondWord]) => {
        const [first, second] = [firstWord.join(''), secondWord.join('')]
        return compare(collation, first, second) === Math.sign(collator.compare(first, second))
      }),
      { numRuns: 2000 },
    )
  })

  it.each(collations)(
    '%s agrees with Intl.Collator for every pair of letters, alone and within a word',
    (collation) => {
      const letters = [...alphabets[collation], ...(digraphs[collation] ?? '').split(' ')]
      const locale = collation === 'tr' ? 'tr' : 'en'
      const words = letters.flatMap((letter) => [letter, `${letter}a`, `${letter}z`, letter.toLocaleUpperCase(locale)])
      expect(disagreements(collation, words)).toEqual([])
    },
  )

  it('agrees with Intl.Collator for every pair of common characters', () => {
    const range = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index))
    const ranges = [range(0x20, 0x17f), range(0x386, 0x3ce), range(0x400, 0x45f), range(0x490, 0x4ff)]
    const more = [range(0x1e00, 0x1e99), range(0x1ea0, 0x1ef9), range(0x2010, 0x2016), range(0x2018, 0x2022)]
    const characters = [...ranges, ...more, ['€', '日', '本', '😀']]
      .flat()
      // Compatibility characters, such as "½", are equal to their letters and digits here, but not for the collator.
      .filter(
        (character) => /\p{Assigned}/u.test(character) && character.normalize('NFKD') === character.normalize('NFD'),
      )
    expect(disagreements('root', characters)).toEqual([])
  })

  it.each<[Collation, string]>([
    ['de', 'adam Adam Ähre Ångström Mueller muller Müller Muller2 Zoe'],
    ['sv', 'Adam Zoe Ångström Ähre Öst'],
    ['da', 'Adam Zoe Ærø Øst Ånd Aand'],
    ['cs', 'cukr čas dům hora chata iva'],
    ['hu', 'cukor csak dán dzeta dzsem'],
    ['tr', 'Hale Ilgaz ılık irem İzmir'],
    ['root', 'zebra αλφα ὰμμος быть ёлка жук 日本'],
  ])('is for %s: %s', (collation, words) => {
    expect(sorted(collation, words.split(' ').reverse().join(' '))).toBe(words)
  })
})

describe('a sort key', () => {
  it('is empty for an empty string, readable, and the same for composed and decomposed letters', () => {
    expect(sortKey('', 'root')).toBe('')
    expect(sortKey('Keller', 'de')).toBe('keller  6')
    expect(sortKey('M\u00fcller', 'de')).toBe(sortKey('Mu\u0308ller', 'de'))
  })

  it('ignores characters that are not visible', () => {
    expect(sortKey('a\u200bb\u00ad', 'root')).toBe('ab')
  })

  it('does not exceed the entry of an index, whatever the string', () => {
    for (const unit of ['Z', 'ß', 'Å\u0323', '\u{1f600}', '日', 'ﷺ']) {
      const key = sortKey(unit.repeat(100_000), 'da')
      expect(Buffer.byteLength(key)).toBeLessThanOrEqual(2400)
      expect(key).toBe(key.toWellFormed())
    }
  })

  it(`counts the first ${maxSortedLength} characters`, () => {
    const beginning = 'x'.repeat(maxSortedLength - 1)
    expect(compare('root', `${beginning}a`, `${beginning}b`)).toBe(-1)
    expect(compare('root', `${beginning}yb`, `${beginning}ya`)).toBe(0)
  })

  it('never contains U+0000, which PostgreSQL cannot store', () => {
    expect(sortKey('a\0b', 'root')).toBe('ab')
  })
})
