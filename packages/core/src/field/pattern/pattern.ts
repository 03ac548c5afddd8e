/** Patterns of text fields: regular expressions that match in linear time. */
import { type Automaton, automatonOf, failed, matched } from './automaton.ts'
import { parsePattern } from './parse.ts'
import { type SampleLimits, sampleOf } from './sample.ts'

/** A compiled regular expression that matches in linear time. */
export interface Pattern {
  /** Whether the pattern matches somewhere in the string. */
  matches(text: string): boolean
  /** A string that matches, with a length within the limits; undefined if there is none. */
  sample(limits?: SampleLimits): string | undefined
}

/**
 * Compiles a regular expression into an automaton that matches in linear time, so that no string can cause backtracking
 * (ReDoS). Like a JSON Schema pattern, it has the flag `u` and may match anywhere in a string.
 *
 * @example
 * ```ts
 * compilePattern('^[A-Z]{2}-\\d+$').matches('AT-1010') // true
 * ```
 *
 * @throws PatternError if the pattern has lookaround, backreferences or word boundaries, or is too large
 */
export function compilePattern(source: string): Pattern {
  const automaton = automatonOf(parsePattern(source))
  return {
    matches: (text) => isAccepted(automaton, text),
    sample: (limits = {}) => sampleOf(automaton, limits),
  }
}

const cache = new WeakMap<RegExp, Pattern>()

/** The compiled pattern of a declaration, from a cache. */
export function patternOf(expression: RegExp): Pattern {
  const cached = cache.get(expression)
  if (cached) return cached
  const pattern = compilePattern(expression.source)
  cache.set(expression, pattern)
  return pattern
}

function isAccepted({ initial, next, numberOfClasses, classOf, accepts }: Automaton, text: string): boolean {
  let state = initial
  for (let index = 0; index < text.length && state !== matched && state !== failed; index++) {
    const point = text.codePointAt(index) as number
    if (point > 0xffff) index++
    state = next[state * numberOfClasses + classOf(point)] as number
  }
  return accepts[state] === true
}
