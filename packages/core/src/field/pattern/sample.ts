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
const maxExtraLength = 8

/** A string that the automaton accepts, with a length within the limits; undefined if there is none. */
export function sampleOf(
  automaton: Automaton,
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pick = () => 0 }: SampleLimits,
): string | undefined {
  const { numberOfStates, initial } = automaton
  const transitionsByState = transitionsOf(automaton)
  const lengthLimit = Math.min(maxLength, minLength + numberOfStates + maxExtraLength)
  // The states from which a match is reachable with a given number of characters.
  const matchesAfter: (readonly boolean[])[] = [automaton.accepts]
  const lengths: number[] = []
  for (let length = 0; length <= lengthLimit && length <= (lengths[0] ?? lengthLimit) + maxExtraLength; length++) {
    if (length > 0)
      matchesAfter.push(
        transitionsByState.map((transitions) => transitions.some(({ to }) => matchesAfter[length - 1]?.[to])),
      )
    if (length >= minLength && matchesAfter[length]?.[initial]) lengths.push(length)
  }
  if (lengths.length === 0) return undefined
  let state = initial
  let text = ''
  for (let remaining = lengths[pick(lengths.length)] as number; remaining > 0; remaining--) {
    const transitions = (transitionsByState[state] as readonly Transition[]).filter(
      ({ to }) => matchesAfter[remaining - 1]?.[to],
    )
    const { characters, to } = transitions[pick(transitions.length)] as Transition
    text += characters[pick(characters.length)]
    state = to
  }
  return text
}

interface Transition {
  readonly characters: readonly string[]
  readonly to: number
}

/** The transitions of each state, common characters first, without characters that cannot be stored. */
function transitionsOf({
  next,
  numberOfClasses,
  numberOfStates,
  classes,
}: Automaton): readonly (readonly Transition[])[] {
  const usable = classes
    .map((set, index) => ({ index, characters: usualCharacters(set) }))
    .filter(({ characters }) => characters.length > 0)
    .sort((a, b) => rank(a.characters) - rank(b.characters))
  return Array.from({ length: numberOfStates }, (_, state) =>
    usable.map(({ index, characters }) => ({ characters, to: next[state * numberOfClasses + index] as number })),
  )
}

function rank([first = '']: readonly string[]): number {
  const index = preferred.indexOf(first)
  return index < 0 ? preferred.length : index
}

/** Common characters, the most common first. */
const preferred = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890-_. ']

/** Letters and digits of the set; if it has none, its first character that can be stored. */
function usualCharacters(set: CharacterSet): readonly string[] {
  const matching = preferred.filter((character) => includes(set, character.charCodeAt(0)))
  if (matching.length > 0) return matching
  const first = set.map(([low, high]) => firstStorable(low, high)).find((point) => point !== undefined)
  return first === undefined ? [] : [String.fromCodePoint(first)]
}

/** Not U+0000, and not a surrogate; preferably visible. */
function firstStorable(low: number, high: number): number | undefined {
  for (const start of [0x21, 1]) {
    const point = Math.max(low, start)
    const nonSurrogate = point >= 0xd800 && point <= 0xdfff ? 0xe000 : point
    if (nonSurrogate <= high) return nonSurrogate
  }
  return undefined
}
