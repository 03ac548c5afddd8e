/** Compares restrictions that have no order, such as `pattern`, `not` and `if`. */
import { codeOf, type Pair, type Use } from '../../pair.ts'
import type { AddRemark, RemarkMessage } from '../../report/remark.ts'
import { plainRestrictions } from '../../restriction.ts'
import { keywordLocation } from '../../shape.ts'

/** An unknown change of a request counts as stricter, and one of a response as another type, unless it is a plain restriction. */
export function compareRestrictions({ old, next }: Pair, use: Use, addRemark: AddRemark): void {
  for (const keyword of new Set([...old.restrictions.keys(), ...next.restrictions.keys()])) {
    const [oldValue, nextValue] = [old.restrictions.get(keyword), next.restrictions.get(keyword)]
    if (oldValue === nextValue) continue
    const message: RemarkMessage = (name) =>
      `${keyword} of ${name()} changed from ${oldValue ?? 'none'} to ${nextValue ?? 'none'}.`
    const locations = [keywordLocation(next, keyword), keywordLocation(old, keyword)] as const
    addRemark(codeOf(use, effectOf(keyword, oldValue, nextValue, use)), message, ...locations)
  }
}

function effectOf(keyword: string, oldValue: string | undefined, nextValue: string | undefined, { kind }: Use) {
  // The same string is decoded to other bytes.
  if (keyword === 'contentEncoding') return 'retyped'
  const isLooser =
    nextValue === undefined || (keyword === 'multipleOf' && isMultiple(Number(oldValue), Number(nextValue)))
  if (kind === 'response' && !plainRestrictions.has(keyword) && oldValue !== undefined) return 'retyped'
  return isLooser ? 'loosened' : 'tightened'
}

/** Fractions have rounding errors: 0.1 % 0.01 is not 0. */
function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor
  return Math.round(quotient) >= 1 && Math.abs(quotient - Math.round(quotient)) < 1e-9 * quotient
}
