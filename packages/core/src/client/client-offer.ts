/** What a resource offers at its place, and where it says nothing of it: see `offer.ts`. */
import type { Link } from '../noun/link.ts'
import type { TraitsOf } from '../noun/noun.ts'

type Write = 'create' | 'replace' | 'update' | 'delete'

/** Of a resource at the root of an api. */
export type RootOffers<R> = OffersOf<R, 'list' | 'read' | Write>

/** Of a resource below another; `Level` tells whether that stands at the root. */
export type ChildOffers<R, Form, Level> = OffersOf<
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

/** By what a resource is said to be related to those above it. */
export type ViaOf<R> = R extends { options: { via: infer Via } }
  ? Via extends readonly [infer Only]
    ? Only
    : Via
  : undefined
type OffersOf<R, Usual> = R extends { options: { offers: readonly (infer Said)[] } } ? Said : Usual
