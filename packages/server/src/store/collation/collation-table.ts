/** Builds the weights of one collation from the root order and the rules of a language. */
import { accented, currency, greekAndCyrillic, latinRules, marks, punctuation, variantRules } from './root-order.ts'
import type { Tailoring } from './tailoring.ts'

/** The weights of a letter, of a sequence that sorts as one, or of a mark, which has no primary weight. */
export interface Weights {
  readonly primary: string
  readonly secondary: string
  /** Whether it follows another string of the same weights and case, as "aa" follows "å" in Danish. */
  readonly isVariant?: true
}

export interface CollationTable {
  /** By the lower-case string in its decomposed form; upper case only if a language has its own. */
  readonly weights: ReadonlyMap<string, Weights>
  /** The same for single characters, by their codes, for speed. */
  readonly characters: readonly (Weights | undefined)[]
  /** The length of the longest sequence that begins with a character, by its code; absent if there is none. */
  readonly sequences: readonly (number | undefined)[]
  readonly isUpperFirst: boolean
}

/** The secondary weight of a letter without an accent. It is below those of all marks. */
export const plainWeight = '0'

/**
 * Every primary weight begins with an ASCII character. Digits and the letters from a to z are their own weights. `~` is
 * above all beginnings: a letter after c has a weight that begins with `c~`, and so comes after all strings that continue c.
 */
const groupPrefix = {
  punctuation: '"',
  symbol: '#',
  currency: '$',
  end: '{',
  alphabet: '|',
  other: '}',
  after: '~',
} as const

export function collationTable({
  rules = '',
  expansions,
  upperCase,
  isUpperFirst,
}: Partial<Tailoring> = {}): CollationTable {
  const weights = new Map<string, Weights>([...markWeights(), ...characterWeights()])
  applyRules(weights, `${variantRules}, ${latinRules}`, 'a')
  for (const [letter, sequence] of Object.entries(accented)) weights.set(letter, weightsOf(weights, [...sequence]))
  applyRules(weights, rules, 'A')
  for (const [text, letters] of Object.entries(expansions ?? {}))
    weights.set(decompose(text), { ...weightsOf(weights, letters), isVariant: true })
  for (const [upper, lower] of Object.entries(upperCase ?? {}))
    weights.set(decompose(upper), weightsOf(weights, [lower]))
  return { weights, ...byCode(weights), isUpperFirst: isUpperFirst === true }
}

/** The weights of characters that no table has: symbols before digits, letters of other scripts at the end. */
export function otherWeights(character: string): Weights {
  const code = character.codePointAt(0) ?? 0
  if (isIn(ignoredRanges, code)) return { primary: '', secondary: '' }
  if (isIn(markRanges, code)) return { primary: '', secondary: `z${character}` }
  return {
    primary: `${isIn(symbolRanges, code) ? groupPrefix.symbol : groupPrefix.other}${character}`,
    secondary: plainWeight,
  }
}

type Ranges = readonly (readonly [number, number])[]

/** Control characters, joiners, direction marks and variation selectors. */
const ignoredRanges: Ranges = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
]

/** Combining marks, Hebrew points, Arabic vowels and the voicing of kana. */
const markRanges: Ranges = [
  [0x0300, 0x036f],
  [0x0483, 0x0487],
  [0x0591, 0x05c7],
  [0x0610, 0x061a],
  [0x064b, 0x065f],
  [0x0670, 0x0670],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x20d0, 0x20ff],
  [0x3099, 0x309a],
  [0xfe20, 0xfe2f],
]

const symbolRanges: Ranges = [
  [0x02c2, 0x02ff],
  [0x2000, 0x2bff],
  [0x3001, 0x3004],
  [0x3008, 0x3020],
  [0x1f000, 0x1faff],
]

function isIn(ranges: Ranges, code: number): boolean {
  return ranges.some(([from, to]) => code >= from && code <= to)
}

function* markWeights(): Generator<[string, Weights]> {
  for (const [index, mark] of [...marks].entries()) yield [mark, { primary: '', secondary: codeAfter('1', index) }]
}

function* characterWeights(): Generator<[string, Weights]> {
  yield* orderedWeights(groupPrefix.punctuation, punctuation)
  yield* orderedWeights(groupPrefix.currency, currency)
  for (const character of '0123456789abcdefghijklmnopqrstuvwxyz') yield [character, letter(character)]
  yield* orderedWeights(groupPrefix.alphabet, greekAndCyrillic)
}

function* orderedWeights(first: string, characters: string): Generator<[string, Weights]> {
  for (const [index, character] of [...characters].entries())
    yield [decompose(character), letter(`${first}${codeAfter('!', index)}`)]
}

function letter(primary: string): Weights {
  return { primary, secondary: plainWeight }
}

function codeAfter(first: string, index: number): string {
  return String.fromCharCode(first.charCodeAt(0) + index)
}

/** `slot` is the first character after the lead of a new letter. Those of a language come before the root's. */
function applyRules(weights: Map<string, Weights>, rules: string, slot: string): void {
  for (const rule of rules.split(',')) {
    const [anchor = '', ...steps] = rule.trim().split(' ')
    let lastWeights = anchor === 'end' ? letter(groupPrefix.end) : weightsOf(weights, [anchor])
    for (let index = 0; index < steps.length; index += 2) {
      lastWeights = nextWeights(lastWeights, steps[index] ?? '', slot)
      weights.set(decompose(steps[index + 1] ?? ''), lastWeights)
    }
  }
}

/** The weights of a letter that follows another one in a rule. */
function nextWeights({ primary, secondary }: Weights, relation: string, slot: string): Weights {
  if (relation === '=') return { primary, secondary }
  if (relation === '<<<') return { primary, secondary, isVariant: true }
  if (relation === '<<')
    return {
      primary,
      secondary: secondary === plainWeight ? `${plainWeight}{` : `${plainWeight}${codeAfter(secondary.slice(1), 1)}`,
    }
  if (primary === groupPrefix.end) return letter(`${groupPrefix.end}${slot}`)
  return letter(
    primary.length === 1
      ? `${primary}${groupPrefix.after}${slot}`
      : `${primary.slice(0, -1)}${codeAfter(primary.slice(-1), 1)}`,
  )
}

function weightsOf(weights: ReadonlyMap<string, Weights>, texts: readonly string[]): Weights {
  const textWeights = texts.map((text) => weights.get(decompose(text)) ?? otherWeights(text))
  return {
    primary: textWeights.map(({ primary }) => primary).join(''),
    secondary: textWeights.map(({ secondary }) => secondary).join(''),
  }
}

export function decompose(text: string): string {
  return text.normalize('NFKD')
}

/** Codes from here on are looked up in the map. */
const maxCode = 0x600

function byCode(weights: ReadonlyMap<string, Weights>): Pick<CollationTable, 'characters' | 'sequences'> {
  const characters = new Array<Weights | undefined>(maxCode).fill(undefined)
  const sequences = new Array<number | undefined>(maxCode).fill(undefined)
  for (const [text, textWeights] of weights) {
    const code = text.charCodeAt(0)
    if (code >= maxCode) continue
    if (text.length === 1) characters[code] = textWeights
    else sequences[code] = Math.max(sequences[code] ?? 0, text.length)
  }
  return { characters, sequences }
}
