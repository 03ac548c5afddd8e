/** A pattern as a deterministic automaton (DFA): one table lookup for each character of a string. */
import { type CharacterSet, includes } from './character-set.ts'
import { PatternError, type PatternNode } from './parse.ts'

export interface Automaton {
  readonly numberOfStates: number
  readonly numberOfClasses: number
  readonly initial: number
  /** The next state, at `state * numberOfClasses + class`. */
  readonly next: Uint16Array
  /** Whether a string that ends in this state matches. */
  readonly accepts: readonly boolean[]
  readonly classOf: (codePoint: number) => number
  /** The characters of each class. */
  readonly classes: readonly CharacterSet[]
}

/** States in which the result is known, whatever follows. */
export const matched = 0
export const failed = 1

const maxPositions = 2000
const maxStates = 1000

/** A state of the NFA. A character of the set leads to `next`; without a set, all of `next` are reached without input. */
interface Position {
  readonly set?: CharacterSet
  readonly anchor?: 'start' | 'end'
  next: readonly number[]
}

export function automatonOf(pattern: PatternNode): Automaton {
  const positions: Position[] = [{ next: [] }]
  const first = add(positions, pattern, matchPosition)
  const { classes, classOf } = classesOf(positions.flatMap(({ set }) => (set ? [set] : [])))
  const stateByKey = new Map<string, number>([
    ['matched', matched],
    ['', failed],
  ])
  const states: { readonly reached: readonly number[]; readonly accepts: boolean }[] = [
    { reached: [], accepts: true },
    { reached: [], accepts: false },
  ]
  const stateOf = (from: readonly number[], isStart: boolean): number => {
    const targets = reach(positions, from, isStart ? ['start'] : [])
    if (targets.includes(matchPosition)) return matched
    const key = isStart ? 'start' : targets.join()
    const existing = stateByKey.get(key)
    if (existing !== undefined) return existing
    if (states.length === maxStates) throw tooLarge()
    const reachedAtEnd = reach(positions, targets, isStart ? ['start', 'end'] : ['end'])
    states.push({ reached: targets, accepts: reachedAtEnd.includes(matchPosition) })
    stateByKey.set(key, states.length - 1)
    return states.length - 1
  }
  const initial = stateOf([first], true)
  const next: number[] = []
  // Each state may append others to the list.
  for (let state = 0; state < states.length; state++) {
    for (const characters of classes) {
      const [[character] = [0]] = characters
      const following = positionsAfter(positions, states[state]?.reached ?? [], character)
      // The pattern may match anywhere, so it may begin at every character.
      next.push(state === matched ? matched : stateOf([...following, first], false))
    }
  }
  return {
    numberOfStates: states.length,
    numberOfClasses: classes.length,
    initial,
    next: Uint16Array.from(next),
    accepts: states.map(({ accepts }) => accepts),
    classOf,
    classes,
  }
}

function positionsAfter(positions: readonly Position[], from: readonly number[], character: number): readonly number[] {
  return from.flatMap((position) => {
    const { set, next } = positions[position] as Position
    return set && includes(set, character) ? next : []
  })
}

/** The position of a match. */
const matchPosition = 0

function tooLarge(): PatternError {
  return new PatternError('is too large', 'use smaller repetitions, and limit the length with minLength and maxLength.')
}

/** Adds the positions of a node before another position, and returns the first one. */
function add(positions: Position[], node: PatternNode, next: number): number {
  const append = (position: Position): number => {
    if (positions.length === maxPositions) throw tooLarge()
    return positions.push(position) - 1
  }
  switch (node.kind) {
    case 'set':
      return append({ set: node.set, next: [next] })
    case 'start':
    case 'end':
      return append({ anchor: node.kind, next: [next] })
    case 'sequence':
      return node.items.reduceRight((after, item) => add(positions, item, after), next)
    case 'either':
      return append({ next: node.options.map((option) => add(positions, option, next)) })
    case 'repeat': {
      let first = next
      if (node.max === Number.POSITIVE_INFINITY) {
        const loop: Position = { next: [] }
        first = append(loop)
        loop.next = [add(positions, node.operand, first), next]
      } else
        for (let count = node.min; count < node.max; count++)
          first = append({ next: [add(positions, node.operand, first), next] })
      for (let count = 0; count < node.min; count++) first = add(positions, node.operand, first)
      return first
    }
  }
}

/** The epsilon closure: all positions that are reached without input, in order. */
function reach(
  positions: readonly Position[],
  from: readonly number[],
  passableAnchors: readonly string[],
): readonly number[] {
  const visited = new Set<number>()
  const pending = [...from]
  for (let position = pending.pop(); position !== undefined; position = pending.pop()) {
    if (visited.has(position)) continue
    visited.add(position)
    const { set, anchor, next } = positions[position] as Position
    if (!set && (anchor === undefined || passableAnchors.includes(anchor))) pending.push(...next)
  }
  const isRelevant = (position: number) => {
    const { set, anchor } = positions[position] as Position
    return position === matchPosition || set !== undefined || anchor === 'end'
  }
  return [...visited].filter(isRelevant).sort((a, b) => a - b)
}

/** Character classes: characters that are in the same sets of the pattern. */
function classesOf(sets: readonly CharacterSet[]): Pick<Automaton, 'classes' | 'classOf'> {
  const distinct = [...new Map(sets.map((set) => [JSON.stringify(set), set])).values()]
  const starts = new Set([0])
  for (const set of distinct) for (const [first, last] of set) starts.add(first).add(last + 1)
  const sorted = [...starts].filter((point) => point <= 0x10ffff).sort((a, b) => a - b)
  const bySets = new Map<string, number>()
  const classes: [number, number][][] = []
  const classAt = sorted.map((first, index) => {
    const last = (sorted[index + 1] ?? 0x110000) - 1
    const key = distinct.map((set) => (includes(set, first) ? '1' : '0')).join('')
    const number = bySets.get(key) ?? classes.push([]) - 1
    bySets.set(key, number)
    classes[number]?.push([first, last])
    return number
  })
  return { classes, classOf: classFinder(sorted, classAt) }
}

function classFinder(starts: readonly number[], classAt: readonly number[]): Automaton['classOf'] {
  const search = (point: number): number => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] as number) <= point) low = middle
      else high = middle - 1
    }
    return classAt[low] as number
  }
  const ascii = Uint16Array.from({ length: 128 }, (_, point) => search(point))
  return (point) => (point < 128 ? (ascii[point] as number) : search(point))
}
