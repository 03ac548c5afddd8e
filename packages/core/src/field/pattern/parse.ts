/** Parses a regular expression into a tree. It rejects parts that need backtracking. */
import {
  anyCharacter,
  type CharacterSet,
  charactersOf,
  complementOf,
  namedClass,
  propertySet,
  unionOf,
} from './character-set.ts'

export type PatternNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'either'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly operand: PatternNode; readonly min: number; readonly max: number }
  /** `^` and `$`. */
  | { readonly kind: 'start' | 'end' }

/**
 * The error of an unsupported regular expression: the message is the end of a sentence, `fix` says what to write instead.
 *
 * @example
 * ```ts
 * try {
 *   compilePattern('(a)\\1')
 * } catch (error) {
 *   if (error instanceof PatternError) console.error(`The pattern ${error.message}. Fix: ${error.fix}`)
 * }
 * ```
 */
export class PatternError extends Error {
  override readonly name = 'PatternError'
  readonly fix: string

  constructor(message: string, fix: string) {
    super(message)
    this.fix = fix
  }
}

export function parsePattern(source: string): PatternNode {
  try {
    // The RegExp constructor checks the syntax, so the parser below need not.
    new RegExp(source, 'u')
  } catch (error) {
    throw new PatternError(
      `is not a valid regular expression with the flag u (${(error as Error).message})`,
      'correct it.',
    )
  }
  return new Parser(source).pattern()
}

class Parser {
  readonly #source: string
  #position = 0

  constructor(source: string) {
    this.#source = source
  }

  pattern(): PatternNode {
    const options = [this.#sequence()]
    while (this.#consume('|')) options.push(this.#sequence())
    return options.length === 1 ? (options[0] as PatternNode) : { kind: 'either', options }
  }

  #sequence(): PatternNode {
    const items: PatternNode[] = []
    while (this.#position < this.#source.length && !/[|)]/.test(this.#source[this.#position] as string))
      items.push(this.#withQuantifier(this.#part()))
    return items.length === 1 ? (items[0] as PatternNode) : { kind: 'sequence', items }
  }

  #part(): PatternNode {
    if (this.#consume('^')) return { kind: 'start' }
    if (this.#consume('$')) return { kind: 'end' }
    if (this.#consume('(')) return this.#group()
    if (this.#consume('.')) return { kind: 'set', set: anyCharacter }
    if (this.#consume('[')) return { kind: 'set', set: this.#class() }
    if (this.#consume('\\')) return { kind: 'set', set: this.#escape(false) }
    return { kind: 'set', set: charactersOf(this.#character()) }
  }

  #group(): PatternNode {
    if (this.#consume('?')) {
      const [, lookaround, name] = /^(?:(<?[=!])|:|<([^>]*)>)?/.exec(this.#source.slice(this.#position)) ?? []
      if (lookaround !== undefined)
        throw new PatternError(
          'uses a lookahead or lookbehind',
          'write the pattern without it, or check the value in a rule.',
        )
      if (name !== undefined) this.#position += name.length + 2
      else if (!this.#consume(':'))
        throw new PatternError('uses inline flags', 'write the pattern without them, such as [Aa] instead of (?i:a).')
    }
    const content = this.pattern()
    this.#consume(')')
    return content
  }

  /** A lazy quantifier matches the same strings as a greedy one. */
  #withQuantifier(operand: PatternNode): PatternNode {
    const [text, sign, low, comma, high] =
      /^(?:([*+?])|\{(\d+)(,)?(\d+)?\})\??/.exec(this.#source.slice(this.#position)) ?? []
    if (text === undefined) return operand
    this.#position += text.length
    const min = sign === undefined ? Number(low) : sign === '+' ? 1 : 0
    const maxOfSign = sign === '?' ? 1 : Number.POSITIVE_INFINITY
    const max =
      sign !== undefined ? maxOfSign : high !== undefined ? Number(high) : comma ? Number.POSITIVE_INFINITY : min
    return { kind: 'repeat', operand, min, max }
  }

  #class(): CharacterSet {
    const isNegated = this.#consume('^')
    const ranges: (readonly [number, number])[] = []
    while (!this.#consume(']')) {
      const set = this.#member()
      const [[first] = [0]] = set
      const isRange = this.#source[this.#position] === '-' && this.#source[this.#position + 1] !== ']'
      if (isRange && set.length === 1 && first === set[0]?.[1]) {
        this.#position++
        const [[, last] = [0, 0]] = this.#member()
        ranges.push([first, last])
      } else ranges.push(...set)
    }
    return isNegated ? complementOf(unionOf(ranges)) : unionOf(ranges)
  }

  #member(): CharacterSet {
    return this.#consume('\\') ? this.#escape(true) : charactersOf(this.#character())
  }

  /** Parses an escape after the backslash. */
  #escape(isInClass: boolean): CharacterSet {
    const letter = this.#character()
    const named = namedClass(letter)
    if (named) return named
    if (letter === 'p' || letter === 'P') {
      const [text = '', name = ''] = /^\{([^}]*)\}/.exec(this.#source.slice(this.#position)) ?? []
      this.#position += text.length
      const set = propertySet(name)
      return letter === 'P' ? complementOf(set) : set
    }
    if (!isInClass && /[bB]/.test(letter))
      throw new PatternError('has \\b or \\B', 'match the characters around it instead.')
    if (/[k1-9]/.test(letter)) throw new PatternError('uses a backreference', 'repeat the group, or write a rule.')
    return charactersOf(this.#escapedCharacter(letter))
  }

  #escapedCharacter(letter: string): number | string {
    const control = { t: '\t', n: '\n', v: '\v', f: '\f', r: '\r', b: '\b', 0: '\0' }[letter]
    if (control !== undefined) return control
    if (letter === 'c') return this.#character().charCodeAt(0) % 32
    if (letter === 'x') return this.#hexadecimal(/^()([\da-f]{2})/i)
    if (letter !== 'u') return letter
    const high = this.#hexadecimal(/^(\{)?([\da-f]+(?=\})|[\da-f]{4})\}?/i)
    const low = /^\\u(d[c-f][\da-f]{2})/i.exec(this.#source.slice(this.#position))?.[1]
    if (low === undefined || high < 0xd800 || high > 0xdbff) return high
    this.#position += 6
    return 0x10000 + ((high - 0xd800) << 10) + (Number.parseInt(low, 16) - 0xdc00)
  }

  #hexadecimal(pattern: RegExp): number {
    const [text = '', , digits = ''] = pattern.exec(this.#source.slice(this.#position)) ?? []
    this.#position += text.length
    return Number.parseInt(digits, 16)
  }

  #character(): string {
    const character = String.fromCodePoint(this.#source.codePointAt(this.#position) as number)
    this.#position += character.length
    return character
  }

  #consume(text: string): boolean {
    const isNext = this.#source.startsWith(text, this.#position)
    if (isNext) this.#position += text.length
    return isNext
  }
}
