/** A resource: how one api shows a noun; its path, shapes, filters, lookups and children. */
import type { Deprecation } from '../declaration/deprecation.ts'
import type { IgnoredRule } from '../declaration/ignored-rule.ts'
import type { Link } from '../noun/link.ts'
import type { AnyNoun, ComputedName, ComputedOf, DisplayOf, FieldName, TraitsOf, ValueOf } from '../noun/noun.ts'
import { checkResource } from './check.ts'
import type { CustomFilter, Filter } from './filter.ts'
import type { ResourceMistake } from './mistake.ts'
import type { NamedOperations } from './operation.ts'

export type Offer = 'list' | 'read' | 'create' | 'replace' | 'update' | 'delete' | 'link'

/** How a child is related to its parent: by its own reference, by a link, or by several of them in a row. */
export type Via = ViaStep | readonly ViaStep[]
// biome-ignore lint/suspicious/noExplicitAny: any link will do
type ViaStep = string | Link<any, any>

/** Names that a resource gives to stored fields: `{ createdDate: 'created' }`. */
export interface Renames {
  readonly [shown: string]: string
}

/** `Shown` are the names of all that can be shown, `Stored` those of them that are not computed. */
export interface ResourceOptions<Shown extends string = string, Stored extends string = Shown> {
  /** The path segment, where it is not the noun's name: `path: 'staff-member'`. */
  readonly path?: string
  /** What path templates call the identity, where it is not the identity's own name: `parameter: 'userRef'`. */
  readonly parameter?: string
  /**
   * Under `versioning: 'per-noun'`: the version of the resource, `version: 2`, or of single operations,
   * `version: { replace: 2 }`.
   */
  readonly version?: number | { readonly [Kind in Offer]?: number }
  /**
   * The properties of the single record; all of the noun's fields where left out:
   * `complete: ['id', 'lastName', 'email']`.
   */
  readonly complete?: readonly Shown[]
  /** The properties of a list item; those of the single record where left out: `list: ['id', 'lastName']`. */
  readonly list?: readonly Shown[]
  /** Offers `/{noun}-summary` with fewer properties than the list: `summary: ['id']`. */
  readonly summary?: readonly Shown[]
  /** Offers `/{noun}-detail` with more properties than the list; all of them with `detail: true`. */
  readonly detail?: true | readonly Shown[]
  /**
   * References that list shapes show by their target's label: `display: ['department']`. All whose target has one, but for
   * names in `Ref`, where left out.
   */
  readonly display?: readonly Stored[]
  /** Unique properties that a single record can be read by: `by: ['email']` offers `/{noun}/by-email/{email}`. */
  readonly by?: readonly Stored[]
  /**
   * Values that lists are filtered by unless the client gives that parameter itself:
   * `defaultFilter: { retired: false }`.
   */
  readonly defaultFilter?: { readonly [Name in Stored]?: FilterValue | readonly FilterValue[] }
  /** Filters beside the properties: `filters: { changed: range('created', 'lastUpdated') }`. */
  readonly filters?: { readonly [name: string]: Filter<Stored> | CustomFilter }
  /**
   * Properties in which the parameter `search` looks for a text, without regard to case:
   * `search: ['firstName', 'lastName']`.
   */
  readonly search?: readonly Stored[]
  /** A plain array in place of pages, `paginated: false`; for small collections below a parent. */
  readonly paginated?: false
  /** Of its lists; that of the api where left out: `pageSize: { default: 20, maximum: 100 }`. */
  readonly pageSize?: PageSize
  /** The operations offered, `offers: ['list', 'read']`; all that the api's form of writes allows where left out. */
  readonly offers?: readonly Offer[]
  /**
   * Operations of the service's own, by the names that they have in paths, `operations: { reopening }`; a name may have one
   * for each method, `operations: { lock: [locking, unlocking] }`.
   */
  readonly operations?: NamedOperations
  /** Writes to a single record must carry If-Match, 428 otherwise: `ifMatch: 'required'`. */
  readonly ifMatch?: 'required'
  /**
   * The resource and all below it, `deprecated: { since: '2026-03-01' }`, or single operations:
   * `deprecated: { replace: { since: '2026-03-01', successor: '/v2/user' } }`.
   */
  readonly deprecated?: Deprecation | { readonly [Kind in Offer]?: Deprecation }
  /** Rules of the lint that its operations break on purpose: `ignore: [{ code: 'nested-object', reason: … }]`. */
  readonly ignore?: readonly IgnoredRule[]
  /**
   * How it is related to its parent, where not by its one reference to it: `via: 'manager'`, `via: userRole`, or several in a
   * row, `via: [roleAction, userRole]`.
   */
  readonly via?: Via
  /** Resources below single records of this one: `children: [resource(preference)]` offers `/user/{id}/preference`. */
  readonly children?: readonly AnyResource[]
}

type FilterValue = string | number | boolean | null

export interface PageSize {
  /** Where a request asks for none: `default: 20`. */
  readonly default?: number
  /** The largest that may be asked for: `maximum: 100`. */
  readonly maximum?: number
}

export interface Resource<N extends AnyNoun, R extends Renames, O> {
  readonly noun: N
  readonly rename: R
  readonly options: O
}

// biome-ignore lint/suspicious/noExplicitAny: stands for every resource, whatever it shows
export type AnyResource = Resource<any, any, any>

/**
 * Declares how an api shows a noun. Every name in it is the shown one; `rename` tells which stored field it stands for.
 *
 * ```ts
 * resource(user, { rename: { createdDate: 'created' }, list: ['id', 'lastName'], by: ['email'], search: ['lastName'] })
 * ```
 */
export function resource<
  N extends AnyNoun,
  const O extends ResourceOptions<ShownName<N, R>, StoredName<N, R>> = Record<never, never>,
  const R extends { readonly [shown: string]: FieldName<N> | ComputedName<N> } = Record<never, never>,
>(
  noun: N,
  options?: O & ResourceMistake<N, UniqueName<N, R>, O> & { readonly rename?: R },
): Resource<N, NoInfer<R>, NoInfer<O>> {
  const { rename = {} as R, ...rest } = options ?? ({} as { readonly rename?: R })
  const made = { noun, rename, options: rest as O }
  checkResource(made)
  return made
}

/** The names under which a resource may show fields. */
export type ShownName<N, R> = R extends infer Given
  ? (keyof Given & string) | Exclude<FieldName<N> | ComputedName<N>, Given[keyof Given]>
  : never

/** Those of them that stand for something stored: what lists are filtered, searched and sorted by. */
type StoredName<N, R> = R extends infer Given
  ?
      | ({ [K in keyof Given]: Given[K] extends ComputedName<N> ? never : K }[keyof Given] & string)
      | Exclude<FieldName<N>, Given[keyof Given]>
  : never

type UniqueName<N, R> = { [K in ShownName<N, R>]: 'unique' extends TraitsOf<FieldOf<N, R, K>> ? K : never }[ShownName<
  N,
  R
>]

type FieldOf<N, R, K> = K extends keyof R ? FieldCalled<N, R[K]> : FieldCalled<N, K>
type FieldCalled<N, K> = N extends { readonly fields: infer Declared }
  ? K extends keyof Declared
    ? Declared[K]
    : ComputedOf<N>[K & keyof ComputedOf<N>]
  : never

/** Reads the parts of a resource without the limits of its type parameters, which would widen them. */
type Shows<N, R, O> = { readonly noun: N; readonly rename: R; readonly options: O }

type CompleteName<N, R, O> = O extends { complete: readonly (infer K)[] } ? K & string : ShownName<N, R>

/** Without a list of names the list is complete, and so is `detail: true`; another variant is not offered at all. */
type VariantName<N, R, O, Variant extends string> = O extends { [V in Variant]: readonly (infer K)[] }
  ? K & string
  : Variant extends 'list'
    ? CompleteName<N, R, O>
    : O extends { [V in Variant]: true }
      ? CompleteName<N, R, O>
      : never

/** The single record of a resource. */
export type DetailOf<Res> =
  Res extends Shows<infer N, infer R, infer O> ? { [K in CompleteName<N, R, O>]: ValueOf<FieldOf<N, R, K>> } : never

/** What lists can be filtered and sorted by: the single record but for what is computed. */
export type FilterOf<Res> =
  Res extends Shows<infer N, infer R, infer O>
    ? { [K in CompleteName<N, R, O> & StoredName<N, R>]: ValueOf<FieldOf<N, R, K>> }
    : never

/** An element of a resource's list, or of its `summary` or `detail` variant. */
export type ListItemOf<Res, Variant extends 'list' | 'summary' | 'detail' = 'list'> =
  Res extends Shows<infer N, infer R, infer O>
    ? [VariantName<N, R, O, Variant>] extends [never]
      ? never
      : { [K in VariantName<N, R, O, Variant>]: ShownInList<N, R, O, K> }
    : never

type ShownInList<N, R, O, K extends string> = O extends { display: readonly (infer Displayed)[] }
  ? K extends Displayed
    ? DisplayOf<FieldOf<N, R, K>>
    : ValueOf<FieldOf<N, R, K>>
  : K extends `${string}Ref`
    ? ValueOf<FieldOf<N, R, K>>
    : DisplayOf<FieldOf<N, R, K>>

/** What PUT takes: every mutable property. PATCH takes any part of it. */
export type UpdateOf<Res> =
  Res extends Shows<infer N, infer R, infer O>
    ? { [K in MutableName<N, R, CompleteName<N, R, O>>]: ValueOf<FieldOf<N, R, K>> }
    : never

/** What POST takes: the mutable properties, those with a default as they please. */
export type CreateOf<Res> =
  Res extends Shows<infer N, infer R, infer O>
    ? Flat<
        { [K in RequiredName<N, R, CompleteName<N, R, O>>]: ValueOf<FieldOf<N, R, K>> } & {
          [K in OptionalName<N, R, CompleteName<N, R, O>>]?: ValueOf<FieldOf<N, R, K>>
        }
      >
    : never

type Flat<T> = { [K in keyof T]: T[K] }
type MutableName<N, R, K extends string> = K extends K
  ? 'managed' extends TraitsOf<FieldOf<N, R, K>>
    ? never
    : K
  : never
type OptionalName<N, R, K extends string> =
  MutableName<N, R, K> extends infer M extends string
    ? M extends M
      ? 'default' extends TraitsOf<FieldOf<N, R, M>>
        ? M
        : never
      : never
    : never
type RequiredName<N, R, K extends string> = Exclude<MutableName<N, R, K>, OptionalName<N, R, K>>
