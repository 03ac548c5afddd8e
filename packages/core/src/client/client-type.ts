/** The types of a client, derived from the declaration of an api. */
import type { Api } from '../api/api.ts'
import type { change } from '../noun/change.ts'
import type { OperationInput, ResponseOutput } from '../resource/operation.ts'
import type { DetailOf, ListItemOf, ManagedOf } from '../resource/record-type.ts'
import type { Envelope } from '../wire/page.ts'
import type { Camel, NounName, SegmentOf } from './name.ts'
import type { Caller, ChildOffers, RootOffers } from './offer.ts'
import type { CallOptions, ChangeOptions, CreateOptions, GuardedOptions, PastOptions } from './option.ts'
import type {
  ChangeOf,
  ChangeQueryOf,
  CreationOf,
  FollowQueryOf,
  IdOf,
  QueryOf,
  ReplacementOf,
} from './request-type.ts'

/** The type of a typed HTTP client: one property for each root resource, in camelCase. */
export type Client<A, By extends Caller = 'client'> =
  A extends Api<string, infer Options>
    ? { readonly [R in Options['resources'][number] as Camel<SegmentOf<R>>]: Root<R, Options['writes'], By> }
    : never

type Root<R, Writes, By> = Calls<R, RootOffers<R, By>, never, By> & Below<R, Writes, 'direct', By> & Changes<R>

/** The changes of all records of a resource, if it has a child resource of `change`. */
type Changes<R> = R extends { options: { children: readonly (infer Child)[] } } ? ChangesOf<R, Child> : unknown
type ChangesOf<R, Child> = [Extract<Child, { noun: typeof change }>] extends [never]
  ? unknown
  : {
      readonly [C in Extract<Child, { noun: typeof change }> as Camel<SegmentOf<C>>]: Listing<
        C,
        'list',
        ChangeQueryOf<R, C>
      > &
        Following<C, 'list', ChangeQueryOf<R, C>>
    }

/** The custom operations of a resource, and the children and operations of a single record. */
type Below<R, Writes, Level, By> = OperationsOf<R, 'collection'> &
  ([keyof Children<R, Writes, Level, By> | keyof OperationsOf<R, 'record'>] extends [never]
    ? unknown
    : {
        /** The child resources and custom operations of one record: `api.user.of(7).preference.list()`. */
        of(id: IdOf<R>): Children<R, Writes, Level, By> & OperationsOf<R, 'record'>
      })

type Children<R, Writes, Level, By> = R extends { options: { children: readonly (infer Child)[] } }
  ? {
      readonly [C in Child as Camel<SegmentOf<C>>]: Calls<C, ChildOffers<C, Writes, Level, By>, NounName<R>, By> &
        Below<C, Writes, 'deep', By>
    }
  : unknown

/** Custom operations by name, with a function for each HTTP method. */
type OperationsOf<R, On> = R extends { options: { operations: infer Named } }
  ? {
      readonly [Name in keyof Named as OperationOn<Named[Name], On> extends never ? never : Name]: Methods<
        OperationOn<Named[Name], On>
      >
    }
  : unknown
type OperationOn<Declared, On> = Extract<
  Declared extends readonly (infer Operation)[] ? Operation : Declared,
  { options: { on: On } }
>
type Methods<Operations> = {
  readonly [Operation in Operations as Operation extends { options: { method: infer Method extends string } }
    ? Lowercase<Method>
    : never]: Operation extends { options: infer Options } ? OperationCall<Options> : never
}
type OperationCall<Options> = Options extends { method: 'DELETE' }
  ? (call?: CallOptions) => Promise<ResponseOf<Options>>
  : Options extends { body: infer Fields }
    ? (body: OperationInput<Fields>, call?: CallOptions) => Promise<ResponseOf<Options>>
    : Options extends { query: infer Fields }
      ? (...parameters: QueryParameters<OperationInput<Fields>>) => Promise<ResponseOf<Options>>
      : (nothing?: undefined, call?: CallOptions) => Promise<ResponseOf<Options>>
type QueryParameters<Query> = object extends Query
  ? [query?: Query, call?: CallOptions]
  : [query: Query, call?: CallOptions]
type ResponseOf<Options> = Options extends { response: infer Response } ? ResponseOutput<Response> : null

/** The calls of a resource for the operations that it offers. */
type Calls<R, Offers, Parent, By> = ('list' extends Offers ? Lists<R, 'list'> & Variants<R> : unknown) &
  ('read' extends Offers ? Reads<R> : unknown) &
  ('create' extends Offers
    ? { create(body: CreationOf<R, Parent> & Managed<R, By>, call?: CreateOptions): Promise<DetailOf<R>> }
    : unknown) &
  ('replace' extends Offers
    ? {
        replace(
          id: IdOf<R>,
          body: ReplacementOf<R, Parent> & Managed<R, By>,
          ...call: ChangeParameters<R>
        ): Promise<DetailOf<R>>
      }
    : unknown) &
  ('update' extends Offers
    ? { update(id: IdOf<R>, body: ChangeOf<R> & Managed<R, By>, ...call: ChangeParameters<R>): Promise<DetailOf<R>> }
    : unknown) &
  ('delete' extends Offers ? { delete(id: IdOf<R>, ...call: ChangeParameters<R>): Promise<DetailOf<R>> } : unknown) &
  ('restore' extends Offers
    ? {
        /** Brings a deleted record back (POST), with its links and the records that it owned. */
        restore(id: IdOf<R>, call?: CallOptions): Promise<DetailOf<R>>
      }
    : unknown) &
  ('erase' extends Offers
    ? {
        /** Erases the history of a record and of the records that it owns (POST). The record itself stays. */
        eraseHistory(id: IdOf<R>, call?: CallOptions): Promise<null>
      }
    : unknown) &
  ('link' extends Offers
    ? {
        /** Links the record with the parent (PUT); idempotent. */
        link(id: IdOf<R>, call?: ChangeOptions): Promise<DetailOf<R>>
        /** Removes the link to the parent (DELETE). */
        unlink(id: IdOf<R>, call?: ChangeOptions): Promise<DetailOf<R>>
      }
    : unknown)

/** Fields that only a handler may write. */
type Managed<R, By> = By extends 'handler' ? ManagedOf<R> : unknown

type ChangeParameters<R> = R extends { options: { ifMatch: 'required' } }
  ? [call: GuardedOptions]
  : [call?: ChangeOptions]

type ReadOptions<R> = R extends { noun: { options: { history: true | object } } } ? PastOptions : CallOptions

interface ReadOne<R> {
  /** Reads one record (GET). */
  read(id: IdOf<R>, call?: ReadOptions<R>): Promise<DetailOf<R>>
}
type Reads<R> = ReadOne<R> &
  (R extends { options: { by: readonly (infer Name extends string)[] } }
    ? {
        /** Reads one record by a unique property: `api.user.by.email('ada@example.com')`. */
        readonly by: { readonly [N in Name]: (value: UniqueValue<R, N>, call?: CallOptions) => Promise<DetailOf<R>> }
      }
    : unknown)

type UniqueValue<R, Name> = NonNullable<DetailOf<R>[Name & keyof DetailOf<R>]>

type Variants<R> = R extends { options: infer Options }
  ? (Options extends { summary: unknown } ? { readonly summary: Lists<R, 'summary'> } : unknown) &
      (Options extends { detail: unknown } ? { readonly detail: Lists<R, 'detail'> } : unknown)
  : unknown

type Lists<R, Variant extends 'list' | 'summary' | 'detail'> = Following<R, Variant> & Listing<R, Variant>

/** Lists of history entries can be followed. */
type Following<R, Variant extends 'list' | 'summary' | 'detail', Query = QueryOf<R>> = R extends {
  noun: typeof change
}
  ? {
      /**
       * Iterates over changes as they are made (server-sent events): those after `afterId`, or from now on. It connects again after
       * an interruption, without a gap, and ends only if `signal` aborts it or the service rejects the request.
       */
      follow(query?: FollowQueryOf<Query>, call?: CallOptions): AsyncGenerator<ListItemOf<R, Variant>>
    }
  : unknown

type Listing<R, Variant extends 'list' | 'summary' | 'detail', Query = QueryOf<R>> = R extends {
  options: { paginated: false }
}
  ? { list(query?: Query, call?: CallOptions): Promise<ListItemOf<R, Variant>[]> }
  : {
      /** Reads one page (GET). */
      list(query?: Query, call?: CallOptions): Promise<Envelope<ListItemOf<R, Variant>>>
      /** Iterates over the pages, from `pageNumber` to the last. */
      pages(query?: Query, call?: CallOptions): AsyncGenerator<Envelope<ListItemOf<R, Variant>>>
      /** Iterates over the records of all pages. */
      records(query?: Query, call?: CallOptions): AsyncGenerator<ListItemOf<R, Variant>>
    }
