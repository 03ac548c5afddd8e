/** The types of queries and bodies of a client. */

import type { change } from '../noun/change.ts'
import type { IdentityOf } from '../noun/record-type.ts'
import type { CustomFilter, Filter } from '../resource/filter.ts'
import type { CreateOf, DetailOf, FilterOf, UpdateOf } from '../resource/record-type.ts'
import type { ViaOf } from './offer.ts'

/** The query of a list: filters, sort order and page. */
export type QueryOf<R> = Flat<Filters<R> & (R extends { options: { paginated: false } } ? unknown : PageQuery)>

/** The query of a client that follows changes: filters, and where it starts. */
export type FollowQueryOf<Query> = Omit<Query, keyof PageQuery | 'sort' | 'include'>

/** The query of the changes of all records of a resource: filters by their fields, and by the change. */
export type ChangeQueryOf<R, Changes> = Flat<
  {
    readonly [Name in Exclude<keyof FilterOf<R>, keyof DetailOf<Changes>>]?: OneOrMore<FilterOf<R>[Name]>
  } & QueryOf<Changes>
>

interface PageQuery {
  readonly pageNumber?: number | undefined
  readonly pageSize?: number | undefined
}

type Filters<R> = {
  readonly [Name in keyof FilterOf<R>]?: OneOrMore<FilterOf<R>[Name]>
} & DeclaredFilters<R> &
  EntryFilters<R> & {
    /** IDs of records that are listed despite the filters. */
    readonly include?: OneOrMore<IdOf<R>>
    readonly sort?: OneOrMore<SortName<keyof FilterOf<R> & string>>
  } & (R extends { options: { search: unknown } } ? { readonly search?: OneOrMore<string> } : unknown)

type OneOrMore<Value> = Value | readonly Value[] | undefined
type SortName<Name extends string> = Name | `-${Name}`

/** The filters of history entries. */
type EntryFilters<R> = R extends { noun: typeof change }
  ? {
      readonly timeFrom?: string | undefined
      readonly timeTo?: string | undefined
      /** Changes of these fields. */
      readonly changedField?: OneOrMore<string>
      /** Changes after the one with this ID, the oldest first. */
      readonly afterId?: number | undefined
    }
  : unknown

type DeclaredFilters<R> = R extends { options: { filters: infer Declared } }
  ? {
      readonly [Name in keyof Declared & string as ParameterName<Name, Declared[Name]>]?: FilterValue<R, Declared[Name]>
    }
  : unknown
type ParameterName<Name extends string, F> = F extends Filter<string, 'range'> ? `${Name}From` | `${Name}To` : Name
type FilterValue<R, F> =
  F extends Filter<infer Property, infer Kind>
    ? Kind extends 'range'
      ? NonNullable<DetailOf<R>[Property & keyof DetailOf<R>]> | undefined
      : OneOrMore<DetailOf<R>[Property & keyof DetailOf<R>]>
    : F extends CustomFilter<infer ValueType>
      ? ValueType | undefined
      : never

/** The body of a create, below a record of the parent. */
export type CreationOf<R, Parent> = BodyOf<CreateOf<R>, R, Parent>

/** The body of a replacement, below a record of the parent. */
export type ReplacementOf<R, Parent> = BodyOf<UpdateOf<R>, R, Parent>

/** The body of an update. */
export type ChangeOf<R> = Partial<UpdateOf<R>>

/** Makes the reference to the parent optional, because the path sets it. */
type BodyOf<Body, R, Parent> = Flat<
  Omit<Body, ParentName<R, Parent>> & Partial<Pick<Body, ParentName<R, Parent> & keyof Body>>
>
type ParentName<R, Parent> = R extends { noun: { fields: infer Fields }; rename: infer Renames }
  ? ShownAs<ViaOf<R> extends infer Field extends string ? Field : ReferenceTo<Parent, Fields>, Renames>
  : never
type ReferenceTo<Parent, Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { '~value'?: infer ValueType }
    ? ValueType extends () => { name: Parent }
      ? Name
      : never
    : never
}[keyof Fields]
type ShownAs<Field, Renames> = Field extends Renames[keyof Renames]
  ? { [Shown in keyof Renames]: Renames[Shown] extends Field ? Shown : never }[keyof Renames]
  : Field

/** Flattens an intersection, so that editors and messages show plain fields. Without `infer`, messages would show the intersection. */
type Flat<T> = T extends infer Fields ? { [K in keyof Fields]: Fields[K] } : never

export type IdOf<R> = R extends { noun: infer N } ? IdentityOf<N> : never
