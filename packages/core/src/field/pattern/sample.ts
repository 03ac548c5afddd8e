/** Generates strings that match a pattern, for examples and for conformance checks. */
import type { Automaton } from './automaton.ts'
import { type CharacterSet, includes } from './character-set.ts'

export interface SampleLimits {
  /** In characters. */
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  /** Returns an index below a number of options (default: the first). */
  readonly pick?: (count: number) => number
}

/** How many characters a sample may be longer than the shortest string. */
const spread = 8

/** A string that the automaton accepts, with a length within the limits; undefined if there is none. */
export function sampleOf(
  automaton: Automaton,
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pick = () => 0 }: SampleLimits,
): string | undefined {
  const { numberOfStates, initial } = automaton
  const steps = stepsOf(automaton)
  const longest = Math.min(maxLength, minLength + numberOfStates + spread)
  // The states from which a match is reachable with a given number of characters.
  const away: (readonly boolean[])[] = [automaton.accepts]
  const lengths: number[] = []
  for (let length = 0; length <= longest && length <= (lengths[0] ?? longest) + spread; length++) {
    if (length > 0) away.push(steps.map((ways) => ways.some(({ to }) => away[length - 1]?.[to])))
    if (length >= minLength && away[length]?.[initial]) lengths.push(length)
  }
  if (lengths.length === 0) return undefined
  let state = initial
  let text = ''
  for (let left = lengths[pick(lengths.length)] as number; left > 0; left--) {
    const ways = (steps[state] as readonly Step[]).filter(({ to }) => away[left - 1]?.[to])
    const { characters, to } = ways[pick(ways.length)] as Step
    text += characters[pick(characters.length)]
    state = to
  }
  return text
}

interface Step {
  readonly characters: readonly string[]
  readonly to: number
}

/** The transitions of each state, common characters first, without characters that cannot be stored. */
function stepsOf({ next, numberOfClasses, numberOfStates, classes }: Automaton): readonly (readonly Step[])[] {
  const usable = classes
    .map((set, index) => ({ index, characters: usualCharacters(set) }))
    .filter(({ characters }) => characters.length > 0)
    .sort((a, b) => rank(a.characters) - rank(b.characters))
  return Array.from({ length: numberOfStates }, (_, state) =>
    usable.map(({ index, characters }) => ({ characters, to: next[state * numberOfClasses + index] as number })),
  )
}

function rank([first = '']: readonly string[]): number {
  const at = preferred.indexOf(first)
  return at < 0 ? preferred.length : at
}

/** Common characters, the most common first. */
const preferred = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890-_. ']

/** Letters and digits of the set; if it has none, its first character that can be stored. */
function usualCharacters(set: CharacterSet): readonly string[] {
  const matching = preferred.filter((character) => includes(set, character.charCodeAt(0)))
  if (matching.length > 0) return matching
  const first = set.map(([low, high]) => storable(low, high)).find((point) => point !== undefined)
  return first === undefined ? [] : [String.fromCodePoint(first)]
}

/** Not U+0000, and not a surrogate; preferably visible. */
function storable(low: number, high: number): number | undefined {
  for (const start of [0x21, 1]) {
    const point = Math.max(low, start)
    const nonSurrogate = point >= 0xd800 && point <= 0xdfff ? 0xe000 : point
    if (nonSurrogate <= high) return nonSurrogate
  }
  return undefined
}
