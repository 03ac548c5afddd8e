/** Walks two schemas side by side, from the whole value to its innermost fields, and notes what differs. */
import type { Note } from './change.ts'
import { compareAlternatives } from './compare-alternatives.ts'
import { compareFields } from './compare-fields.ts'
import { compareNull, compareValue } from './compare-value.ts'
import { codeOf, type NextPair, type Pair, type Use } from './pair.ts'
import { type Schema, shapeOf } from './shape.ts'

/**
 * Every pair of schemas is compared once, wherever else it occurs below: so circles end, and the same difference is told
 * once. `mayBeOmitted` says of the whole value that leaving it out means its default.
 */
export function compareSchema(old: Schema, next: Schema, use: Use, note: Note, mayBeOmitted = false): void {
  const whole = pairOf({ old, next, path: '', mayBeOmitted }, use)
  // Many operations share one component, and most components stay as they are.
  const same = sameBefore(old, next)
  const key = `${use.kind} ${use.method} ${mayBeOmitted} ${keyOf(whole)}`
  if (same.has(key)) return
  let isSame = true
  walk(whole, use, (...change) => {
    isSame = false
    note(...change)
  })
  if (isSame) same.add(key)
}

function walk(whole: Pair, use: Use, note: Note): void {
  const waiting = [whole]
  const seen = new Set<string>()
  for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
    const key = keyOf(pair)
    if (seen.has(key)) continue
    seen.add(key)
    for (const below of compare(pair, use, note).reverse())
      if (below.old.length > 0 && below.next.length > 0) waiting.push(pairOf(below, use))
  }
}

function keyOf({ old, next }: Pair): string {
  return [old, next].map(({ parts }) => parts.map((part) => part.pointer).join(' ')).join(' | ')
}

/** What was found the same in these two readings; the schemas of a pair each lie in one. */
const found = new WeakMap<object, WeakMap<object, Set<string>>>()

function sameBefore([old]: Schema, [next]: Schema): Set<string> {
  if (!old || !next) return new Set()
  const byNext = found.get(old.reading) ?? new WeakMap<object, Set<string>>()
  found.set(old.reading, byNext)
  const same = byNext.get(next.reading) ?? new Set<string>()
  byNext.set(next.reading, same)
  return same
}

/** Notes what differs in the value itself, and gives what lies below it. */
function compare(pair: Pair, use: Use, note: Note): NextPair[] {
  const { old, next } = pair
  // Where only one has alternatives, the other is to be found among them and compared there.
  if (old.alternatives.length > 0 !== next.alternatives.length > 0) {
    compareNull(pair, use, note)
    return [...compareAlternatives(pair, use, note)]
  }
  if (!compareValue(pair, use, note)) return []
  return [...compareAlternatives(pair, use, note), ...compareFields(pair, use, note), ...compareRest(pair, use, note)]
}

/** The elements of an array, and the fields of an object that are not named. */
function compareRest({ old, next, path, name }: Pair, use: Use, note: Note): readonly NextPair[] {
  const rest = [
    { old: old.items, next: next.items, path: `${path}[]`, what: 'Elements' },
    { old: old.otherFields, next: next.otherFields, path: `${path}.*`, what: 'Other fields' },
  ]
  const isOpen = !old.isClosed && !next.isClosed
  for (const { old, next, what } of rest) {
    if (what === 'Other fields' && !isOpen) continue
    if (old.length === 0 && next.length > 0)
      note(codeOf(use, 'narrowed'), `${what} of ${name} were of any type, have one.`, next[0])
    if (old.length > 0 && next.length === 0)
      note(codeOf(use, 'widened'), `${what} of ${name} had a type, are of any.`, old[0])
  }
  if (old.isClosed !== next.isClosed)
    note(
      codeOf(use, next.isClosed ? 'tightened' : 'loosened'),
      `Other fields of ${name} ${next.isClosed ? 'were allowed, are not' : 'were not allowed, are'}.`,
      next.parts[0],
    )
  return rest
}

function pairOf({ old, next, path, mayBeOmitted = false }: NextPair, use: Use): Pair {
  const name = path === '' ? use.name : `${path.replace(/^\./, '')} of ${use.name}`
  return { old: shapeOf(old), next: shapeOf(next), path, name, mayBeOmitted }
}
