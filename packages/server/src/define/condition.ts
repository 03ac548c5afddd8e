/** Conditions that `visible` and `filter` return: on fields of a record, and on the records that it is related to. */
import type { AnyLink, AnyNoun, Field, Noun, Reference, Value, ValueOf } from '@nomen/core'
import type { Bounds } from './bounds.ts'

/**
 * A condition on a reference: the caller can see the referenced record.
 *
 * @example
 * ```ts
 * visible(user, () => ({ department: visibleTarget }))
 * ```
 */
export const visibleTarget: unique symbol = Symbol('visible target')

type VisibleTarget = typeof visibleTarget

/** A condition on related records. It is the value of an identity or a reference; `linked` and `referencedBy` create it. */
export class Related {
  /** The noun of the related records. */
  readonly noun: AnyNoun
  /** The condition on the related records. */
  readonly where: unknown
  /** The link between both nouns, or the field of the related noun that references this one. */
  readonly by: AnyLink | string

  constructor(noun: AnyNoun, by: AnyLink | string, where: unknown) {
    this.noun = noun
    this.by = by
    this.where = where
  }
}

/**
 * A condition on an identity or a reference: the record is linked (many-to-many) with a record of the other noun that matches.
 *
 * @example
 * ```ts
 * // Teams that the caller is linked with, and the projects of these teams.
 * visible(team, ({ record }) => record !== null && { id: linked(teamUser, user, { id: record }) })
 * visible(project, ({ record }) => record !== null && { team: linked(teamUser, user, { id: record }) })
 * ```
 */
export function linked<N extends AnyNoun, const Where extends boolean | object>(
  link: AnyLink,
  noun: N,
  where: Where & ConditionFor<N, Where>,
): Related {
  return new Related(noun, link, where)
}

/**
 * A condition on an identity or a reference: a matching record of another noun references the record.
 *
 * @example
 * ```ts
 * // Teams in which the caller has a membership.
 * visible(team, ({ record }) => record !== null && { id: referencedBy(membership, 'team', { user: record }) })
 * ```
 */
export function referencedBy<N extends AnyNoun, const Where extends boolean | object>(
  noun: N,
  field: ReferenceName<N>,
  where: Where & ConditionFor<N, Where>,
): Related {
  return new Related(noun, field, where)
}

type ReferenceName<N> =
  N extends Noun<string, infer Fields, object>
    ? {
        [Name in keyof Fields & string]: Fields[Name] extends Reference<infer _, infer __> ? Name : never
      }[keyof Fields & string]
    : never

/**
 * A condition: `true` for all records, `false` for none, an object of fields that must all match, or an array of such
 * objects, one of which must match. A value whose type is not known, such as a claim of a token or the caller's own record, is
 * checked when it is used.
 */
export type ConditionFor<N, Where> = Where extends boolean
  ? Where
  : Where extends readonly unknown[]
    ? { [At in keyof Where]: ConditionFields<N, Where[At]> }
    : ConditionFields<N, Where>

type ConditionFields<N, Where> =
  N extends Noun<string, infer Fields, object>
    ? {
        [Name in keyof Where]: Name extends keyof Fields
          ? IsAnyValue<Where[Name]> extends true
            ? unknown
            : FieldCondition<Fields[Name], Where[Name]>
          : never
      }
    : never

/** Whether the type says nothing about a value: a claim (`unknown`), or the caller's own record once it is not null. */
type IsAnyValue<Where> = unknown extends Where
  ? true
  : [NonNullable<Value>] extends [Where]
    ? null extends Where
      ? false
      : true
    : false

/** One value, an array of allowed values, or bounds. For an identity or a reference also a condition on related records. */
type FieldCondition<F, Where> =
  | ValueOf<F>
  | Bounds<NonNullable<ValueOf<F>>>
  | (F extends Reference<infer Target, infer _>
      ? Target extends () => infer N
        ?
            | VisibleTarget
            | Related
            | NestedCondition<N, Where>
            | readonly (ValueOf<F> | null | VisibleTarget | Related | object)[]
        : readonly ValueOf<F>[]
      : readonly ValueOf<F>[])
  | (F extends Field<infer _, infer Traits> ? ('identity' extends Traits ? Related : never) : never)

type NestedCondition<N, Where> = Where extends Related | Bounds<unknown> | readonly unknown[]
  ? never
  : Where extends object
    ? ConditionFields<N, Where>
    : never
