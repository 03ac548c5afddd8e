/** Visibility: which records a caller may see, attached where a service is put together. */
import type { AnyNoun, Noun, Reference, ValueOf } from '@nomen/core'
import type { Caller } from './caller.ts'

/** In place of a reference's value: whatever record it points at, as long as the caller may see that one. */
export const visibleTarget: unique symbol = Symbol('seen')

type VisibleTarget = typeof visibleTarget

/** What a field may have to be: one value, any of several, and for a reference what the caller sees. */
type Wanted<F> =
  | ValueOf<F>
  | readonly ValueOf<F>[]
  | (F extends Reference<infer Target, infer _>
      ? Target extends () => unknown
        ? VisibleTarget | readonly [VisibleTarget, null]
        : never
      : never)

/** Each field as a filter may name it. What a token says is of no type that is known, and is checked when it is used. */
type Fitting<N, Given> =
  N extends Noun<string, infer Fields, object>
    ? Given extends boolean
      ? Given
      : {
          [Name in keyof Given]: Name extends keyof Fields
            ? unknown extends Given[Name]
              ? unknown
              : Wanted<Fields[Name]>
            : never
        }
    : never

export interface Visibility {
  readonly noun: AnyNoun
  /** What it gives is checked whenever it is asked. */
  readonly filter: (caller: Caller) => unknown
}

/**
 * Lets a caller see only some records of a noun, and do nothing with the others: they are as if they were not there. The
 * filter is true for all, false for none, or names fields and their values, all of which must fit. It is asked once for
 * a request. Several for one noun must all allow a record.
 *
 * ```ts
 * visible(user, ({ claims }) => ({ department: claims.department, status: ['ACTIVE', 'SUSPENDED'] }))
 * visible(role, () => ({ applicationRef: visibleTarget }))
 * ```
 */
export function visible<N extends AnyNoun, const Given extends boolean | object>(
  noun: N,
  filter: (caller: Caller) => Given & Fitting<N, Given>,
): Visibility {
  return { noun, filter }
}
