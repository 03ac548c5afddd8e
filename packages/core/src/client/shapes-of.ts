/** The shapes of an api by the names of its nouns, for whoever keeps or passes on what a client gives and takes. */
import type { Api } from '../api/api.ts'
import type { DetailOf, ListItemOf } from '../resource/resource.ts'
import type { NounName } from './client-name.ts'
import type { ChildOffers, RootOffers } from './client-offer.ts'
import type { ChangeOf, CreationOf, QueryOf, ReplacementOf } from './client-shape.ts'

/**
 * What each noun of an api is read, listed, created and changed as. A shape is there where the api offers what has it: of
 * the resource at the root, else of those below others.
 *
 * ```ts
 * type User = ShapesOf<typeof directory>['user']['record']
 * type NewUser = ShapesOf<typeof directory>['user']['creation']
 * ```
 */
export type ShapesOf<A> =
  A extends Api<string, infer Options>
    ? Named<AtRoot<Options['resources'][number]>, Below<Options['resources'][number], Options['writes'], 'direct'>>
    : never

type Named<Root extends Place, Nested extends Place> = {
  readonly [Name in (Root | Nested)['noun']]: Merged<
    Extract<Root, { noun: Name }>['shapes'],
    Extract<Nested, { noun: Name }>['shapes']
  >
}
type Merged<Root, Nested> = {
  [Kind in KeyOf<Root> | KeyOf<Nested>]: Kind extends KeyOf<Root> ? Held<Root, Kind> : Held<Nested, Kind>
}
type KeyOf<Some> = Some extends unknown ? keyof Some : never
type Held<Some, Kind> = Some extends { [K in Kind & string]: infer Shape } ? Shape : never

/** A noun at one place of an api, with the shapes that it has there. */
interface Place {
  noun: string
  shapes: unknown
}
type AtRoot<R> = R extends unknown ? At<R, RootOffers<R>, never> : never
type Below<R, Form, Level> = R extends { options: { children: readonly (infer Child)[] } }
  ? AtChild<Child, Form, Level, NounName<R>> | Below<Child, Form, 'deep'>
  : never
type AtChild<R, Form, Level, Parent> = R extends unknown ? At<R, ChildOffers<R, Form, Level>, Parent> : never
type At<R, Offers, Parent> = { noun: NounName<R> & string; shapes: Shapes<R, Offers, Parent> }

type Shapes<R, Offers, Parent> = ('list' extends Offers ? Listed<R> : unknown) &
  ([Exclude<Offers, 'list'>] extends [never]
    ? unknown
    : {
        /** The single record, as every call but a list gives it. */
        record: DetailOf<R>
      }) &
  ('create' extends Offers ? { creation: CreationOf<R, Parent> } : unknown) &
  ('replace' extends Offers ? { replacement: ReplacementOf<R, Parent> } : unknown) &
  ('update' extends Offers ? { change: ChangeOf<R> } : unknown)

type Listed<R> = {
  /** An element of the list. */
  item: ListItemOf<R>
  /** What the list can be asked. */
  query: QueryOf<R>
} & (R extends { options: { summary: unknown } } ? { summary: ListItemOf<R, 'summary'> } : unknown) &
  (R extends { options: { detail: unknown } } ? { detail: ListItemOf<R, 'detail'> } : unknown)
