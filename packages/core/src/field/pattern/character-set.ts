/** Sets of characters (code points), as sorted ranges that do not touch. */

/** Pairs of the first and the last code point. */
export type CharacterSet = readonly (readonly [first: number, last: number])[]

const lastCodePoint = 0x10ffff

/** The set of these ranges, in any order. */
export function unionOf(ranges: CharacterSet): CharacterSet {
  const sorted = [...ranges].sort(([a], [b]) => a - b)
  const union: [number, number][] = []
  for (const [first, last] of sorted) {
    const previous = union.at(-1)
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last)
    else union.push([first, last])
  }
  return union
}

/** The complement of a set. */
export function complementOf(set: CharacterSet): CharacterSet {
  const complement: [number, number][] = []
  let next = 0
  for (const [first, last] of set) {
    if (first > next) complement.push([next, first - 1])
    next = last + 1
  }
  if (next <= lastCodePoint) complement.push([next, lastCodePoint])
  return complement
}

/** Whether the character is in the set. */
export function includes(set: CharacterSet, character: number): boolean {
  let low = 0
  let high = set.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const [first, last] = set[middle] as CharacterSet[number]
    if (character < first) high = middle - 1
    else if (character > last) low = middle + 1
    else return true
  }
  return false
}

export function charactersOf(...characters: readonly (number | string)[]): CharacterSet {
  return unionOf(
    characters.map((character) => {
      const point = typeof character === 'string' ? (character.codePointAt(0) as number) : character
      return [point, point]
    }),
  )
}

/** `.` matches every character except line terminators. */
export const anyCharacter = complementOf(charactersOf('\n', '\r', '\u2028', '\u2029'))

const digits: CharacterSet = [[0x30, 0x39]]
const wordCharacters = unionOf([...digits, [0x41, 0x5a], [0x61, 0x7a], ...charactersOf('_')])
const spaces = unionOf([
  [0x09, 0x0d],
  [0x2000, 0x200a],
  ...charactersOf(0x20, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff),
])

/** The set of `\d`, `\w` or `\s`; in upper case, its complement. Undefined for other letters. */
export function namedClass(letter: string): CharacterSet | undefined {
  const set = { d: digits, w: wordCharacters, s: spaces }[letter.toLowerCase()]
  return set && letter !== letter.toLowerCase() ? complementOf(set) : set
}

/** The size of a block of code points. Planes and surrogates begin at a multiple of it. */
const blockSize = 0x800

const properties = new Map<string, CharacterSet>()

/** The characters of a Unicode property: `L` for `\p{L}`. */
export function propertySet(name: string): CharacterSet {
  const cached = properties.get(name)
  if (cached) return cached
  // A JavaScript regular expression tests the property; the runs of matching characters are the ranges.
  const runs = new RegExp(`\\p{${name}}+`, 'gu')
  const ranges: [number, number][] = []
  for (let first = 0; first <= lastCodePoint; first += blockSize) {
    // Strings with unpaired surrogates cannot be stored.
    if (first >= 0xd800 && first < 0xe000) continue
    const unitsPerCharacter = first > 0xffff ? 2 : 1
    for (const { 0: run, index } of blockText(first).matchAll(runs)) {
      const begin = first + index / unitsPerCharacter
      ranges.push([begin, begin + run.length / unitsPerCharacter - 1])
    }
  }
  const set = unionOf(ranges)
  properties.set(name, set)
  return set
}

/** A string with all characters of a block. */
function blockText(first: number): string {
  const units: number[] = []
  for (let point = first; point < first + blockSize; point++) {
    if (point > 0xffff) units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + (point & 0x3ff))
    else units.push(point)
  }
  return String.fromCharCode(...units)
}
