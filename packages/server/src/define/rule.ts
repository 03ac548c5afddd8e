/** Rules: what a record must satisfy beyond the kinds of its fields, attached where a service is put together. */
import { type AnyNoun, DeclarationError, type RecordOf } from '@nomen/core'
import type { Breach } from '../store/outcome.ts'
import type { Check, Values } from '../store/plan.ts'
import type { Caller } from './caller.ts'

export interface Rule {
  readonly noun: AnyNoun
  /** The fields that it sees; all of them where left out. */
  readonly fields?: readonly string[]
  readonly check: (next: Values, previous: Values | undefined, caller: Caller) => Breach | undefined
}

type Judge<Seen> = (
  next: Seen,
  previous: Seen | undefined,
  caller: Caller,
) => (Breach & { readonly field?: keyof Seen & string }) | undefined

/**
 * Attaches a rule to a noun. It sees the record as it would be stored and, for a change, as it was before, and who asks for it;
 * what it returns is answered as 422. A rule that names the fields it sees is asked only where one of them is written: on
 * PostgreSQL, other changes then need not read the record first.
 *
 * ```ts
 * rule(user, ['id', 'supervisor'], ({ id, supervisor }) =>
 *   supervisor === id ? { field: 'supervisor', detail: 'Nobody supervises oneself.' } : undefined)
 * ```
 */
export function rule<N extends AnyNoun>(noun: N, check: Judge<RecordOf<N>>): Rule
export function rule<N extends AnyNoun, const F extends keyof RecordOf<N> & string>(
  noun: N,
  fields: readonly F[],
  check: Judge<Pick<RecordOf<N>, F>>,
): Rule
export function rule(noun: AnyNoun, ...parts: readonly unknown[]): Rule {
  const check = parts.at(-1) as Rule['check']
  if (parts.length === 1) return { noun, check }
  const fields = parts[0] as readonly string[]
  const unknown = fields.find((field) => !Object.hasOwn(noun.fields, field))
  if (unknown === undefined) return { noun, fields, check }
  const known = Object.keys(noun.fields).join(', ')
  throw new DeclarationError(
    `noun "${noun.name}"`,
    `a rule sees "${unknown}", which it does not have.`,
    `use ${known}.`,
  )
}

/** Gives what must be asked before some fields of a record are written, or undefined where no rule is about them. */
export type CheckOf = (written: object, caller: Caller) => Check | undefined

/** All rules of a noun. The first breach counts. */
export function checkOf(noun: AnyNoun, rules: readonly Rule[]): CheckOf {
  const own = rules.filter((one) => one.noun === noun)
  return (written, caller) => {
    const asked = own.filter(({ fields }) => !fields || fields.some((field) => field in written))
    if (asked.length === 0) return undefined
    return (next, previous) => {
      for (const { check } of asked) {
        const breach = check(next, previous, caller)
        if (breach) return breach
      }
      return undefined
    }
  }
}
