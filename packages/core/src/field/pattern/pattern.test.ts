// Patterns match the same strings as JavaScript with the flag u, in a time that grows linearly with the string.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePattern } from './pattern.ts'

/** Random patterns of all supported constructs. */
const { pattern } = fc.letrec<{ pattern: string; part: string; atom: string }>((tie) => ({
  pattern: fc
    .array(
      fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 3 },
    )
    .map((options) => options.join('|')),
  part: fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(tie('atom'), fc.constantFrom('', '', '*', '+', '?', '{2}', '{0,2}', '{1,}', '*?'))
        .map((parts) => parts.join('')),
    },
    { weight: 1, arbitrary: fc.constantFrom('^', '$') },
  ),
  atom: fc.oneof(
    // The engine of JavaScript takes minutes for deeper patterns with repetitions.
    { maxDepth: 2 },
    fc.constantFrom(
      'a',
      'b',
      'é',
      '😀',
      '.',
      '\\d',
      '\\w',
      '\\S',
      '\\.',
      '\\u0061',
      '\\u{1f600}',
      '\\ud83d\\ude00',
      '\\x62',
      '\\t',
      '[ab]',
      '[^a]',
      '[a-c1-3]',
      '[\\d-]',
      '[\\w.]',
      '[]',
      '[^]',
      '\\p{Lu}',
      '\\P{L}',
      '[\\p{L}-]',
    ),
    tie('pattern').map((inside) => `(${inside})`),
    tie('pattern').map((inside) => `(?:${inside})`),
    tie('pattern').map((inside) => `(?<name>${inside})`),
  ),
}))
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', '1', '-', '.', 'é', 'É', '😀', '\n', ' ', '\t'),
  maxLength: 8,
})

/** False if the random pattern is invalid (it repeats a group name, or is too large), or may take JavaScript very long. */
const isValid = (source: string) => {
  // Each unbounded repetition multiplies the paths that the engine of JavaScript tries.
  if ((source.match(/[*+]|,\}/g) ?? []).length > 4) return false
  // Node 26 says that /[^]*?a^|/ does not match an empty string, although its second alternative is empty. Node 20 matches it.
  if (/\[\^\]\)*\*\?/.test(source)) return false
  try {
    compilePattern(source)
    return true
  } catch (error) {
    expect(`${error}`).toMatch(/Duplicate capture group name|too large/)
    return false
  }
}

describe('a pattern', () => {
  it('matches an empty alternative after a lazy repetition', () => {
    expect(compilePattern('[^]*?a^|').matches('')).toBe(true)
  })

  it('matches the same strings as a JavaScript regular expression with the flag u', () => {
    fc.assert(
      fc.property(pattern.filter(isValid), fc.array(text, { minLength: 1, maxLength: 20 }), (source, texts) => {
        const { matches } = compilePattern(source)
        const expression = new RegExp(source, 'u')
        for (const sample of ['', ...texts])
          expect([sample, matches(sample)]).toEqual([sample, expression.test(sample)])
      }),
      { numRuns: 150 },
    )
  })

  it('generates a matching string within the length limits if such a string exists', () => {
    fc.assert(
      fc.property(
        pattern.filter(isValid),
        fc.nat(4),
        fc.nat(6),
        fc.infiniteStream(fc.nat()),
        (source, low, extraLength, numbers) => {
          const pick = (count: number) => (numbers.next().value as number) % count
          const compiled = compilePattern(source)
          const sample = compiled.sample({ minLength: low, maxLength: low + extraLength, pick })
          const expression = new RegExp(source, 'u')
          if (sample === undefined) {
            for (const sample of ['', 'a', 'b', 'ab', '1', 'aa', 'é', 'a1b', 'aaaa', '😀', 'B1', '----'])
              if ([...sample].length >= low && [...sample].length <= low + extraLength)
                expect(expression.test(sample)).toBe(false)
            return
          }
          expect(sample).toMatch(expression)
          expect([...sample].length).toBeGreaterThanOrEqual(low)
          expect([...sample].length).toBeLessThanOrEqual(low + extraLength)
        },
      ),
      { numRuns: 100 },
    )
  })

  it.each([
    ['(a+)+$', 'a'],
    ['(a|a)*b', 'a'],
    ['(a|aa)+$', 'a'],
    ['\\d+x', '1'],
    ['(.*)*=.*;', 'x'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
  ])('takes at most one step for each character: %s', (source, character) => {
    // A backtracking engine needs exponential or quadratic time for these.
    expect(compilePattern(source).matches(`${character.repeat(200_000)}!`)).toBe(false)
  })

  it.each([
    ['^[A-Z]{2}-\\d{4}$', 'AA-1111'],
    ['^([01]\\d|2[0-3]):[0-5]\\d$', '11:11'],
    ['^\\p{Lu}\\p{L}+$', 'Aa'],
    ['x', 'x'],
    ['^$', ''],
  ])('%s has the sample %s', (source, sample) => {
    expect(compilePattern(source).sample()).toBe(sample)
  })

  it('has no sample outside its length limits', () => {
    expect(compilePattern('^[a-z]{3}$').sample({ minLength: 4 })).toBeUndefined()
    expect(compilePattern('^[a-z]{3}$').sample({ maxLength: 2 })).toBeUndefined()
    expect(compilePattern('a^').sample()).toBeUndefined()
    expect(compilePattern('x').sample({ minLength: 3, maxLength: 3 })).toMatch(/^.{3}$/)
  })

  it.each([
    ['(a)\\1', /uses a backreference/],
    ['(?<n>a)\\k<n>', /uses a backreference/],
    ['(?=a)b', /uses a lookahead or lookbehind/],
    ['(?!a)b', /uses a lookahead or lookbehind/],
    ['(?<=a)b', /uses a lookahead or lookbehind/],
    ['(?<!a)b', /uses a lookahead or lookbehind/],
    ['\\bword', /has \\b/],
    ['a{1,5000}', /too large/],
    ['(a|b)*a(a|b){20}', /too large/],
    ['(', /is not a valid regular expression/],
    ['\\-', /is not a valid regular expression with the flag u/],
  ])('%s is rejected', (source, message) => {
    expect(() => compilePattern(source)).toThrow(message)
  })
})
