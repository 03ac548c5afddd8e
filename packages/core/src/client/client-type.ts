/** The types of a client: what each resource of an api can be asked, from its declaration. */
import type { Api } from '../api/api.ts'
import type { AnswerOutput, OperationInput } from '../resource/operation.ts'
import type { DetailOf, ListItemOf } from '../resource/resource.ts'
import type { Envelope } from '../wire/page.ts'
import type { Camel, NounName, SegmentOf } from './client-name.ts'
import type { ChildOffers, RootOffers } from './client-offer.ts'
import type { CallOptions, ChangeOptions, CreateOptions, GuardedOptions } from './client-option.ts'
import type { ChangeOf, CreationOf, IdOf, QueryOf, ReplacementOf } from './client-shape.ts'

/** One property for each resource at the root, in camelCase. */
export type Client<A> =
  A extends Api<string, infer Options>
    ? { readonly [R in Options['resources'][number] as Camel<SegmentOf<R>>]: Root<R, Options['writes']> }
    : never

type Root<R, Form> = Calls<R, RootOffers<R>, never> & Below<R, Form, 'direct'>

/** What stands below a resource: its own operations, and for one record its children and operations. */
type Below<R, Form, Level> = OperationsOf<R, 'collection'> &
  ([keyof Children<R, Form, Level> | keyof OperationsOf<R, 'record'>] extends [never]
    ? unknown
    : {
        /** The resources and operations below one record. */
        of(id: IdOf<R>): Children<R, Form, Level> & OperationsOf<R, 'record'>
      })

type Children<R, Form, Level> = R extends { options: { children: readonly (infer Child)[] } }
  ? {
      readonly [C in Child as Camel<SegmentOf<C>>]: Calls<C, ChildOffers<C, Form, Level>, NounName<R>> &
        Below<C, Form, 'deep'>
    }
  : unknown

/** Operations of the service's own by their names, each called by its method. */
type OperationsOf<R, On> = R extends { options: { operations: infer Named } }
  ? {
      readonly [Name in keyof Named as OneOf<Named[Name], On> extends never ? never : Name]: Methods<
        OneOf<Named[Name], On>
      >
    }
  : unknown
type OneOf<Some, On> = Extract<Some extends readonly (infer One)[] ? One : Some, { options: { on: On } }>
type Methods<Some> = {
  readonly [One in Some as One extends { options: { method: infer Method extends string } }
    ? Lowercase<Method>
    : never]: One extends { options: infer Options } ? OperationCall<Options> : never
}
type OperationCall<Options> = Options extends { method: 'DELETE' }
  ? (call?: CallOptions) => Promise<AnswerOf<Options>>
  : Options extends { body: infer Fields }
    ? (body: OperationInput<Fields>, call?: CallOptions) => Promise<AnswerOf<Options>>
    : Options extends { query: infer Fields }
      ? (...given: QueryGiven<OperationInput<Fields>>) => Promise<AnswerOf<Options>>
      : (nothing?: undefined, call?: CallOptions) => Promise<AnswerOf<Options>>
type QueryGiven<Query> = object extends Query ? [query?: Query, call?: CallOptions] : [query: Query, call?: CallOptions]
type AnswerOf<Options> = Options extends { answer: infer Answer } ? AnswerOutput<Answer> : null

/** All calls of a resource that offers them. */
type Calls<R, Offers, Parent> = ('list' extends Offers ? Lists<R, 'list'> & Variants<R> : unknown) &
  ('read' extends Offers ? Reads<R> : unknown) &
  ('create' extends Offers
    ? { create(body: CreationOf<R, Parent>, call?: CreateOptions): Promise<DetailOf<R>> }
    : unknown) &
  ('replace' extends Offers
    ? { replace(id: IdOf<R>, body: ReplacementOf<R, Parent>, ...call: ChangeGiven<R>): Promise<DetailOf<R>> }
    : unknown) &
  ('update' extends Offers
    ? { update(id: IdOf<R>, body: ChangeOf<R>, ...call: ChangeGiven<R>): Promise<DetailOf<R>> }
    : unknown) &
  ('delete' extends Offers ? { delete(id: IdOf<R>, ...call: ChangeGiven<R>): Promise<DetailOf<R>> } : unknown) &
  ('link' extends Offers
    ? {
        /** Links the record with the one that the path names; again does no harm. */
        link(id: IdOf<R>, call?: ChangeOptions): Promise<DetailOf<R>>
        unlink(id: IdOf<R>, call?: ChangeOptions): Promise<DetailOf<R>>
      }
    : unknown)

type ChangeGiven<R> = R extends { options: { ifMatch: 'required' } } ? [call: GuardedOptions] : [call?: ChangeOptions]

interface Reading<R> {
  read(id: IdOf<R>, call?: CallOptions): Promise<DetailOf<R>>
}
type Reads<R> = Reading<R> &
  (R extends { options: { by: readonly (infer Name extends string)[] } }
    ? {
        /** One record by a unique property. */
        readonly by: { readonly [N in Name]: (value: UniqueValue<R, N>, call?: CallOptions) => Promise<DetailOf<R>> }
      }
    : unknown)

type UniqueValue<R, Name> = NonNullable<DetailOf<R>[Name & keyof DetailOf<R>]>

type Variants<R> = R extends { options: infer Options }
  ? (Options extends { summary: unknown } ? { readonly summary: Lists<R, 'summary'> } : unknown) &
      (Options extends { detail: unknown } ? { readonly detail: Lists<R, 'detail'> } : unknown)
  : unknown

type Lists<R, Variant extends 'list' | 'summary' | 'detail'> = R extends { options: { paginated: false } }
  ? { list(query?: QueryOf<R>, call?: CallOptions): Promise<ListItemOf<R, Variant>[]> }
  : {
      list(query?: QueryOf<R>, call?: CallOptions): Promise<Envelope<ListItemOf<R, Variant>>>
      /** Page by page, from the one asked for to the last. */
      pages(query?: QueryOf<R>, call?: CallOptions): AsyncGenerator<Envelope<ListItemOf<R, Variant>>>
      /** Record by record, over all pages. */
      records(query?: QueryOf<R>, call?: CallOptions): AsyncGenerator<ListItemOf<R, Variant>>
    }
