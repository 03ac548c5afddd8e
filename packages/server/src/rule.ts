/** Rules: what a record must satisfy beyond the kinds of its fields, attached where a service is put together. */
import type { AnyNoun, RecordOf } from '@nomen/core'
import type { Breach, Check } from './store/plan.ts'

export interface Rule {
  readonly noun: AnyNoun
  readonly check: Check
}

/**
 * Attaches a rule to a noun. It sees the record as it would be stored and, for a change, as it was before; what it
 * returns is answered as 422.
 *
 * ```ts
 * rule(user, (next) => (next.supervisor === next.id ? { field: 'supervisor', detail: 'Nobody supervises oneself.' } : undefined))
 * ```
 */
export function rule<N extends AnyNoun>(
  noun: N,
  check: (
    next: RecordOf<N>,
    previous: RecordOf<N> | undefined,
  ) => (Breach & { readonly field?: keyof RecordOf<N> & string }) | undefined,
): Rule {
  return { noun, check: check as Check }
}

/** All rules of a noun as one, or undefined where there is none. The first breach counts. */
export function checkOf(noun: AnyNoun, rules: readonly Rule[]): Check | undefined {
  const checks = rules.filter((one) => one.noun === noun).map((one) => one.check)
  if (checks.length === 0) return undefined
  return (next, previous) => {
    for (const check of checks) {
      const breach = check(next, previous)
      if (breach) return breach
    }
    return undefined
  }
}
