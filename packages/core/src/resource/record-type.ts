/** The TypeScript types that are inferred from a resource: its records, list items and bodies. */
import type { Trait } from '../field/field.ts'
import type { change } from '../noun/change.ts'
import type { ComputedName, ComputedOf, DisplayOf, FieldName, TraitsOf, ValueOf } from '../noun/record-type.ts'

/** The names of all properties that a resource may show. */
export type ShownName<N, R> = R extends infer Renamed
  ? (keyof Renamed & string) | Exclude<FieldName<N> | ComputedName<N>, Renamed[keyof Renamed]>
  : never

/** The names of stored properties, by which lists can be filtered, searched and sorted. */
export type StoredName<N, R> = R extends infer Renamed
  ?
      | ({ [K in keyof Renamed]: Renamed[K] extends ComputedName<N> ? never : K }[keyof Renamed] & string)
      | Exclude<FieldName<N>, Renamed[keyof Renamed]>
  : never

/** The names of unique properties. */
export type UniqueName<N, R> = NameWith<'unique', N, R, ShownName<N, R>>

type FieldOf<N, R, K> = K extends keyof R ? FieldCalled<N, R[K]> : FieldCalled<N, K>
type FieldCalled<N, K> = N extends { readonly fields: infer Declared }
  ? K extends keyof Declared
    ? Declared[K]
    : ComputedOf<N>[K & keyof ComputedOf<N>]
  : never

/** Infers the parts of a resource without the constraints of its type parameters, which would widen them. */
type Shows<N, R, O> = { readonly noun: N; readonly rename: R; readonly options: O }

type CompleteName<N, R, O> = O extends { complete: readonly (infer K)[] } ? K & string : ShownName<N, R>

/** The properties of a list variant: all by default and for `detail: true`; `never` if the variant does not exist. */
type VariantName<N, R, O, Variant extends string> = O extends { [V in Variant]: readonly (infer K)[] }
  ? K & string
  : Variant extends 'list'
    ? CompleteName<N, R, O>
    : O extends { [V in Variant]: true }
      ? CompleteName<N, R, O>
      : never

/** The TypeScript type of a single record in a response: `type UserDetail = DetailOf<typeof users>`. */
export type DetailOf<Res> =
  Res extends Shows<infer N, infer R, infer O>
    ? { [K in CompleteName<N, R, O>]: ValueOf<FieldOf<N, R, K>> | AbsentIfScoped<FieldOf<N, R, K>> }
    : never

/** A field with a scope is absent for callers without that scope. */
type AbsentIfScoped<F> = 'scoped' extends TraitsOf<F> ? undefined : never

/** The properties by which lists can be filtered and sorted: those of a single record that are not computed. */
export type FilterOf<Res> =
  Res extends Shows<infer N, infer R, infer O>
    ? { [K in Exclude<CompleteName<N, R, O> & StoredName<N, R>, ContentName<N>>]: ValueOf<FieldOf<N, R, K>> }
    : never

/** The fields of history entries that lists neither filter nor sort by. */
type ContentName<N> = N extends typeof change ? 'fields' | 'before' | 'after' : never

/** The TypeScript type of a list item, or of an item of the `summary` or `detail` variant. */
export type ListItemOf<Res, Variant extends 'list' | 'summary' | 'detail' = 'list'> =
  Res extends Shows<infer N, infer R, infer O>
    ? [VariantName<N, R, O, Variant>] extends [never]
      ? never
      : { [K in VariantName<N, R, O, Variant>]: ShownInList<N, R, O, K> | AbsentIfScoped<FieldOf<N, R, K>> }
    : never

type ShownInList<N, R, O, K extends string> = O extends { display: readonly (infer Displayed)[] }
  ? K extends Displayed
    ? DisplayOf<FieldOf<N, R, K>>
    : ValueOf<FieldOf<N, R, K>>
  : K extends `${string}Ref`
    ? ValueOf<FieldOf<N, R, K>>
    : DisplayOf<FieldOf<N, R, K>>

/**
 * The TypeScript type of a PUT body: every property that can be changed. Properties with a scope are optional. PATCH takes a
 * `Partial` of it.
 */
export type UpdateOf<Res> =
  Res extends Shows<infer N, infer R, infer O>
    ? Flat<
        {
          [K in Exclude<
            ChangeableName<N, R, CompleteName<N, R, O>>,
            NameWith<'scoped', N, R, CompleteName<N, R, O>>
          >]: ValueOf<FieldOf<N, R, K>>
        } & {
          [K in Extract<
            ChangeableName<N, R, CompleteName<N, R, O>>,
            NameWith<'scoped', N, R, CompleteName<N, R, O>>
          >]?: ValueOf<FieldOf<N, R, K>>
        }
      >
    : never

/** The TypeScript type of a POST body: the properties that clients can set. Those with a default are optional. */
export type CreateOf<Res> =
  Res extends Shows<infer N, infer R, infer O>
    ? Flat<
        { [K in RequiredName<N, R, CompleteName<N, R, O>>]: ValueOf<FieldOf<N, R, K>> } & {
          [K in OptionalName<N, R, CompleteName<N, R, O>>]?: ValueOf<FieldOf<N, R, K>>
        }
      >
    : never

/** Fields with `.managed()`, shown or not: a handler may write them, too. */
export type ManagedOf<Res> =
  Res extends Shows<infer N, infer R, unknown>
    ? { [K in NameWith<'service', N, R, ShownName<N, R>>]?: ValueOf<FieldOf<N, R, K>> }
    : never

type Flat<T> = { [K in keyof T]: T[K] }

/** The names whose fields have a trait. */
type NameWith<T extends Trait, N, R, K extends string> = K extends K
  ? T extends TraitsOf<FieldOf<N, R, K>>
    ? K
    : never
  : never

/** The names that clients can set. */
type SettableName<N, R, K extends string> = Exclude<K, NameWith<'managed', N, R, K>>

/** The names that clients can change later. */
type ChangeableName<N, R, K extends string> = Exclude<SettableName<N, R, K>, NameWith<'write-once', N, R, K>>

type OptionalName<N, R, K extends string> = Exclude<NameWith<'default', N, R, K>, NameWith<'managed', N, R, K>>
type RequiredName<N, R, K extends string> = Exclude<SettableName<N, R, K>, NameWith<'default', N, R, K>>
