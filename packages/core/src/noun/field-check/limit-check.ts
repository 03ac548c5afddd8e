/** Checks of the limits of a field: each fits the field type, and none contradicts another. */
import { DeclarationError } from '../../declaration/error.ts'
import type { FieldSpec } from '../../field/field.ts'
import { PatternError } from '../../field/pattern/parse.ts'
import { type Pattern, patternOf } from '../../field/pattern/pattern.ts'
import { scaledDecimal } from '../../field/read-value.ts'
import { checkCanonicalValue } from '../canonical-value.ts'

/** Checks that a pattern can be matched in linear time, and that some string matches it. */
export function checkPattern(subject: string, { pattern, minLength, maxLength }: FieldSpec): void {
  if (pattern === undefined) return
  if (!(pattern instanceof RegExp))
    throw new DeclarationError(
      subject,
      `pattern must be a regular expression, not ${JSON.stringify(pattern)}.`,
      'write a RegExp such as /^[A-Z]{2}$/.',
    )
  if (pattern.flags !== '' && pattern.flags !== 'u') {
    throw new DeclarationError(
      subject,
      `the pattern ${pattern} has the flags "${pattern.flags}"; only "u" is supported.`,
      'remove the flags; instead of the flag i, write [A-Za-z].',
    )
  }
  if (compile(subject, pattern).sample({ minLength, maxLength }) === undefined) {
    throw new DeclarationError(
      subject,
      `no string within minLength and maxLength matches the pattern ${pattern}.`,
      'change the pattern, minLength or maxLength.',
    )
  }
}

function compile(subject: string, pattern: RegExp): Pattern {
  try {
    return patternOf(pattern)
  } catch (error) {
    if (error instanceof PatternError)
      throw new DeclarationError(subject, `the pattern ${pattern} ${error.message}.`, error.fix)
    throw error
  }
}

/** Checks that limits are valid values of the field, and that minimum and maximum do not contradict. */
export function checkLimits(subject: string, spec: FieldSpec): void {
  const { min, max, nullable: _, ...unlimited } = spec
  if (min !== undefined) checkCanonicalValue(subject, 'limit', unlimited, min)
  if (max !== undefined) checkCanonicalValue(subject, 'limit', unlimited, max)
  for (const length of [spec.minLength, spec.maxLength]) {
    if (length === undefined || (Number.isSafeInteger(length) && length >= 0)) continue
    throw new DeclarationError(
      subject,
      `minLength and maxLength must be non-negative integers, not ${length}.`,
      'use 0 or a positive integer.',
    )
  }
  if (isAbove(spec, spec.min, spec.max))
    throw new DeclarationError(subject, `min ${spec.min} is greater than max ${spec.max}.`, 'swap them.')
  if (isAbove(spec, spec.minLength, spec.maxLength))
    throw new DeclarationError(
      subject,
      `minLength ${spec.minLength} is greater than maxLength ${spec.maxLength}.`,
      'swap them.',
    )
}

function isAbove(spec: FieldSpec, low: number | string | undefined, high: number | string | undefined): boolean {
  if (low === undefined || high === undefined) return false
  if (spec.kind !== 'decimal') return low > high
  return scaledDecimal(`${low}`, spec.scale ?? 0) > scaledDecimal(`${high}`, spec.scale ?? 0)
}

export function checkDecimal(subject: string, { precision = 18, scale = 0 }: FieldSpec): void {
  const isWhole = Number.isInteger(precision) && Number.isInteger(scale)
  if (!isWhole || precision < 1 || precision > 18 || scale < 0 || scale >= precision) {
    throw new DeclarationError(
      subject,
      `precision ${precision} with scale ${scale} is not supported.`,
      'use a precision from 1 to 18, and a scale from 0 to one less than the precision.',
    )
  }
}
