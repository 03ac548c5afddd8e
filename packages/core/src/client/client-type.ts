/** The types of a client: what each resource of an api can be asked, from its declaration. */
import type { Api } from '../api.ts'
import type { CustomFilter, Filter } from '../filter.ts'
import type { Link } from '../link.ts'
import type { IdentityOf, TraitsOf } from '../noun.ts'
import type { Envelope } from '../page.ts'
import type { CreateOf, DetailOf, FilterOf, ListItemOf, UpdateOf } from '../resource.ts'
import type { AnswerOutput, OperationInput } from '../resource-operation.ts'
import type { Camel, NounName, SegmentOf } from './client-name.ts'
import type { CallOptions, ChangeOptions, CreateOptions, GuardedOptions } from './client-option.ts'

/** One property for each resource at the root, in camelCase. */
export type Client<A> =
  A extends Api<string, infer Options>
    ? { readonly [R in Options['resources'][number] as Camel<SegmentOf<R>>]: Root<R, Options['writes']> }
    : never

type Root<R, Form> = Calls<R, OffersOf<R, 'list' | 'read' | Write>, never> & Below<R, Form, 'direct'>

type Write = 'create' | 'replace' | 'update' | 'delete'

/** What is offered where nothing is said: see `offer.ts`. */
type ChildOffers<R, Form, Level> = OffersOf<
  R,
  | 'list'
  | 'read'
  | (ViaOf<R> extends AnyLink
      ? LinkOffer<Level>
      : ViaOf<R> extends readonly unknown[]
        ? never
        : Form extends 'nested'
          ? WriteOffer<R>
          : never)
>
/** A reference that only the server sets is nothing that the path could give. */
type WriteOffer<R> = R extends { noun: { fields: infer Fields } }
  ? 'managed' extends TraitsOf<Fields[ViaOf<R> & keyof Fields]>
    ? never
    : Write
  : never
type LinkOffer<Level> = Level extends 'direct' ? 'link' : never
// biome-ignore lint/suspicious/noExplicitAny: any link will do
type AnyLink = Link<any, any>
type ViaOf<R> = R extends { options: { via: infer Via } } ? (Via extends readonly [infer Only] ? Only : Via) : undefined
type OffersOf<R, Usual> = R extends { options: { offers: readonly (infer Said)[] } } ? Said : Usual

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
    ? { create(body: BodyOf<CreateOf<R>, R, Parent>, call?: CreateOptions): Promise<DetailOf<R>> }
    : unknown) &
  ('replace' extends Offers
    ? { replace(id: IdOf<R>, body: BodyOf<UpdateOf<R>, R, Parent>, ...call: ChangeGiven<R>): Promise<DetailOf<R>> }
    : unknown) &
  ('update' extends Offers
    ? { update(id: IdOf<R>, body: Partial<UpdateOf<R>>, ...call: ChangeGiven<R>): Promise<DetailOf<R>> }
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
  ? { list(query?: Flat<Filters<R>>, call?: CallOptions): Promise<ListItemOf<R, Variant>[]> }
  : {
      list(query?: ListQuery<R>, call?: CallOptions): Promise<Envelope<ListItemOf<R, Variant>>>
      /** Page by page, from the one asked for to the last. */
      pages(query?: ListQuery<R>, call?: CallOptions): AsyncGenerator<Envelope<ListItemOf<R, Variant>>>
      /** Record by record, over all pages. */
      records(query?: ListQuery<R>, call?: CallOptions): AsyncGenerator<ListItemOf<R, Variant>>
    }

type ListQuery<R> = Flat<
  Filters<R> & { readonly pageNumber?: number | undefined; readonly pageSize?: number | undefined }
>

type Filters<R> = {
  readonly [Name in keyof FilterOf<R>]?: OneOrMore<FilterOf<R>[Name]>
} & DeclaredFilters<R> & {
    /** Records that are listed whatever the filters say. */
    readonly include?: OneOrMore<IdOf<R>>
    readonly sort?: OneOrMore<SortName<keyof FilterOf<R> & string>>
  } & (R extends { options: { search: unknown } } ? { readonly search?: string | undefined } : unknown)

type OneOrMore<Value> = Value | readonly Value[] | undefined
type SortName<Name extends string> = Name | `-${Name}`

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
    : F extends CustomFilter<infer Held>
      ? Held | undefined
      : never

/** The reference to the record that the path names may be left out. */
type BodyOf<Body, R, Parent> = Flat<
  Omit<Body, ParentName<R, Parent>> & Partial<Pick<Body, ParentName<R, Parent> & keyof Body>>
>
type ParentName<R, Parent> = R extends { noun: { fields: infer Fields }; rename: infer Renames }
  ? ShownAs<ViaOf<R> extends infer Field extends string ? Field : ReferenceTo<Parent, Fields>, Renames>
  : never
type ReferenceTo<Parent, Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { '~held'?: infer Held }
    ? Held extends () => { name: Parent }
      ? Name
      : never
    : never
}[keyof Fields]
type ShownAs<Field, Renames> = Field extends Renames[keyof Renames]
  ? { [Shown in keyof Renames]: Renames[Shown] extends Field ? Shown : never }[keyof Renames]
  : Field
/** Plain fields where an editor shows the type, or a message names it. */
type Flat<T> = T extends infer Given ? { [K in keyof Given]: Given[K] } : never

type IdOf<R> = R extends { noun: infer N } ? IdentityOf<N> : never
