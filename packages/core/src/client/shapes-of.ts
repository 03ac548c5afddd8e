/** The TypeScript types of the records and bodies of an api, by noun. */
import type { Api } from '../api/api.ts'
import type { DetailOf, ListItemOf } from '../resource/record-type.ts'
import type { NounName } from './name.ts'
import type { ChildOffers, RootOffers } from './offer.ts'
import type { ChangeOf, CreationOf, QueryOf, ReplacementOf } from './request-type.ts'

/**
 * The TypeScript types of an api's records and request bodies, by noun: `record`, `item`, `query`, `creation`,
 * `replacement` and `change`. A type exists if the api offers the operation; root resources have precedence.
 *
 * @example
 * ```ts
 * type User = ShapesOf<typeof directory>['user']['record']
 * type NewUser = ShapesOf<typeof directory>['user']['creation']
 * ```
 */
export type ShapesOf<A> =
  A extends Api<string, infer Options>
    ? Named<AtRoot<Options['resources'][number]>, Below<Options['resources'][number], Options['writes'], 'direct'>>
    : never

type Named<Root extends NounAtPath, Nested extends NounAtPath> = {
  readonly [Name in (Root | Nested)['noun']]: Merged<
    Extract<Root, { noun: Name }>['shapes'],
    Extract<Nested, { noun: Name }>['shapes']
  >
}
type Merged<Root, Nested> = {
  [Kind in KeyOf<Root> | KeyOf<Nested>]: Kind extends KeyOf<Root> ? ShapeIn<Root, Kind> : ShapeIn<Nested, Kind>
}
type KeyOf<Some> = Some extends unknown ? keyof Some : never
type ShapeIn<Some, Kind> = Some extends { [K in Kind & string]: infer Shape } ? Shape : never

/** A noun at one path of an api, with its shapes. */
interface NounAtPath {
  noun: string
  shapes: unknown
}
type AtRoot<R> = R extends unknown ? At<R, RootOffers<R>, never> : never
type Below<R, Writes, Level> = R extends { options: { children: readonly (infer Child)[] } }
  ? AtChild<Child, Writes, Level, NounName<R>> | Below<Child, Writes, 'deep'>
  : never
type AtChild<R, Writes, Level, Parent> = R extends unknown ? At<R, ChildOffers<R, Writes, Level>, Parent> : never
type At<R, Offers, Parent> = { noun: NounName<R> & string; shapes: Shapes<R, Offers, Parent> }

type Shapes<R, Offers, Parent> = ('list' extends Offers ? Listed<R> : unknown) &
  ([Exclude<Offers, 'list'>] extends [never]
    ? unknown
    : {
        /** The single record, which every call except a list returns. */
        record: DetailOf<R>
      }) &
  ('create' extends Offers ? { creation: CreationOf<R, Parent> } : unknown) &
  ('replace' extends Offers ? { replacement: ReplacementOf<R, Parent> } : unknown) &
  ('update' extends Offers ? { change: ChangeOf<R> } : unknown)

type Listed<R> = {
  /** A list item. */
  item: ListItemOf<R>
  /** The query parameters of the list. */
  query: QueryOf<R>
} & (R extends { options: { summary: unknown } } ? { summary: ListItemOf<R, 'summary'> } : unknown) &
  (R extends { options: { detail: unknown } } ? { detail: ListItemOf<R, 'detail'> } : unknown)
