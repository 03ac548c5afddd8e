/** The operations that a resource offers at its path, as types: the same rules as in `resource/offer.ts`. */
import type { change } from '../noun/change.ts'
import type { Link } from '../noun/link.ts'
import type { TraitsOf } from '../noun/record-type.ts'

type Write<R> =
  | 'create'
  | 'replace'
  | 'update'
  | 'delete'
  | (R extends { noun: { options: { history: true | object } } } ? 'restore' : never)
  | (R extends { noun: { options: { history: { erasable: true } } } } ? 'erase' : never)

/** The caller: a client of the service, or a handler in it. */
export type Caller = 'client' | 'handler'

/** The operations of a root resource. */
export type RootOffers<R, By = 'client'> = OffersOf<R, 'list' | 'read' | Write<R>, By>

/** The operations of a child resource. `Level` is 'direct' below a root resource. */
export type ChildOffers<R, Writes, Level, By = 'client'> = OffersOf<
  R,
  | 'list'
  | 'read'
  | (ViaOf<R> extends AnyLink
      ? LinkOffer<Level>
      : ViaOf<R> extends readonly unknown[]
        ? never
        : Writes extends 'nested'
          ? WriteOffer<R>
          : never),
  By
>
/** No writes if the reference to the parent is managed: the path cannot set it. */
type WriteOffer<R> = R extends { noun: { fields: infer Fields } }
  ? 'managed' extends TraitsOf<Fields[ViaOf<R> & keyof Fields]>
    ? never
    : Write<R>
  : never
type LinkOffer<Level> = Level extends 'direct' ? 'link' : never
// biome-ignore lint/suspicious/noExplicitAny: accepts every link
type AnyLink = Link<any, any>

/** The option `via` of a resource. */
export type ViaOf<R> = R extends { options: { via: infer Via } }
  ? Via extends readonly [infer Only]
    ? Only
    : Via
  : undefined
type OffersOf<R, Usual, By> = R extends { noun: typeof change } ? 'list' | 'read' : DeclaredOffers<R, Usual, By>
type DeclaredOffers<R, Usual, By> =
  | (R extends { options: { offers: readonly (infer Declared)[] } } ? Declared : Exclude<Usual, InternalOf<R>>)
  | (By extends 'handler' ? InternalOf<R> : never)
type InternalOf<R> = R extends { options: { internal: readonly (infer Declared)[] } } ? Declared : never
