/** The TypeScript types that are inferred from a noun: its record, its values and the names of its fields. */
import type { Field, Reference } from '../field/field.ts'
import type { Noun } from './noun.ts'
import type { NounOptions } from './noun-option.ts'

/** The TypeScript type of a field's value. */
export type ValueOf<F> =
  F extends Field<infer ValueType, infer Traits>
    ?
        | (ValueType extends () => infer Target ? IdentityOf<Target> : ValueType)
        | ('nullable' extends Traits ? null : never)
    : never

/** The TypeScript type of a noun's identity (primary key): number, or string for a GUID. */
export type IdentityOf<N> =
  N extends Noun<string, infer Declared, NounOptions>
    ? { [K in keyof Declared]: 'identity' extends TraitsOf<Declared[K]> ? ValueOf<Declared[K]> : never }[keyof Declared]
    : never

/** The traits of a field, as a union: 'nullable' | 'default' … */
export type TraitsOf<F> = F extends Field<unknown, infer Traits> ? Traits : never

/** The TypeScript type of a stored record: `type User = RecordOf<typeof user>`. */
export type RecordOf<N> =
  N extends Noun<string, infer Declared, NounOptions> ? { [K in keyof Declared]: ValueOf<Declared[K]> } : never

/** The names of a noun's fields. */
export type FieldName<N> = N extends Noun<string, infer Declared, NounOptions> ? keyof Declared & string : never

/** The computed fields of a noun, by name. */
export type ComputedOf<N> = N extends { readonly options: { readonly computed: infer Declared } }
  ? {
      [K in keyof Declared]: Declared[K] extends Field<infer ValueType, infer Traits>
        ? Field<ValueType, Traits | 'managed'>
        : never
    }
  : Record<never, never>

/** The names of a noun's computed fields. */
export type ComputedName<N> = keyof ComputedOf<N> & string

/** The type of a field in a list: the label of a reference if its target has one, otherwise the value. */
export type DisplayOf<F> =
  F extends Reference<infer Target, infer Traits>
    ? Target extends () => infer N
      ? N extends { readonly options: { readonly label: unknown } }
        ? string | ('nullable' extends Traits ? null : never)
        : ValueOf<F>
      : ValueOf<F>
    : ValueOf<F>
