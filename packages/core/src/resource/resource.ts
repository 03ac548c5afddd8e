/** Resources: how an api shows a noun, with its path, properties, filters, lookups and child resources. */
import { declare } from '../declaration/collect.ts'
import type { Deprecation } from '../declaration/deprecation.ts'
import type { IgnoredRule } from '../declaration/ignored-rule.ts'
import type { Link } from '../noun/link.ts'
import type { AnyNoun } from '../noun/noun.ts'
import type { ComputedName, FieldName } from '../noun/record-type.ts'
import { checkResource } from './check.ts'
import type { CustomFilter, Filter } from './filter.ts'
import type { NamedOperations } from './operation.ts'
import type { ShownName, StoredName, UniqueName } from './record-type.ts'
import type { ValidResourceOptions } from './valid-options.ts'

/** A standard operation of a resource. `replace` is PUT, `update` is PATCH, `link` is PUT and DELETE of a link. */
export type Offer = 'list' | 'read' | 'create' | 'replace' | 'update' | 'delete' | 'restore' | 'erase' | 'link'

/** The relation of a child to its parent: a reference, a link, or a path of several of them. */
export type Via = ViaStep | readonly ViaStep[]
// biome-ignore lint/suspicious/noExplicitAny: accepts every link
type ViaStep = string | Link<any, any>

/** New property names for fields of the noun: `{ createdDate: 'created' }`. */
export interface Renames {
  readonly [shown: string]: string
}

/** Options of a resource. `Shown` are the names of all properties, `Stored` those that are not computed. */
export interface ResourceOptions<Shown extends string = string, Stored extends string = Shown> {
  /**
   * Describes the lists in the OpenAPI document, `description: 'Loans that are not returned yet.'`, or single operations:
   * `description: { list: 'Open loans.', create: 'Lends a book.' }`.
   */
  readonly description?: string | { readonly [Kind in Offer | 'unlink']?: string }
  /**
   * The path segment: `path: 'staff-member'` for `/staff-member`.
   *
   * @default the noun's name
   */
  readonly path?: string
  /**
   * The name of the ID in path templates: `parameter: 'userRef'` for `/user/{userRef}`.
   *
   * @default the name of the identity, as in `/user/{id}`. If the path continues, it has the path segment as a prefix, as in
   * `/user/{userId}/preference`, unless it begins with the name of the noun
   */
  readonly parameter?: string
  /**
   * The version of the resource, `version: 2`, or of single operations, `version: { replace: 2 }`. It needs
   * `versioning: 'per-noun'` in the API.
   *
   * @default the version of the parent resource or of the API
   */
  readonly version?: number | { readonly [Kind in Offer]?: number }
  /**
   * The properties of a single record, which POST, PUT and PATCH also accept: `complete: ['id', 'lastName', 'email']`.
   *
   * @default all fields of the noun
   */
  readonly complete?: readonly Shown[]
  /**
   * The properties of a list item: `list: ['id', 'lastName']`.
   *
   * @default the properties of a single record
   */
  readonly list?: readonly Shown[]
  /** Adds the list variant `/{noun}-summary`, with fewer properties than the list: `summary: ['id']`. */
  readonly summary?: readonly Shown[]
  /** Adds the list variant `/{noun}-detail`, with more properties than the list; `detail: true` for all properties. */
  readonly detail?: true | readonly Shown[]
  /**
   * References that lists show by the label (display name) of the referenced record in place of its ID:
   * `display: ['department']`.
   *
   * @default all references to nouns with a label, except names that end in `Ref`
   */
  readonly display?: readonly Stored[]
  /** Adds lookups by unique properties: `by: ['email']` for `GET /{noun}/by-email/{email}`. */
  readonly by?: readonly Stored[]
  /** Filters that lists apply unless the request has that query parameter: `defaultFilter: { retired: false }`. */
  readonly defaultFilter?: { readonly [Name in Stored]?: FilterValue | readonly FilterValue[] }
  /**
   * More filters (query parameters): `filters: { changed: range('created', 'lastUpdated') }`. Every stored property is a
   * filter without a declaration.
   */
  readonly filters?: { readonly [name: string]: Filter<Stored> | CustomFilter }
  /**
   * Adds the query parameter `search`, a case-insensitive text search in these properties:
   * `search: ['firstName', 'lastName']`.
   *
   * @default no search
   */
  readonly search?: readonly Stored[]
  /**
   * Returns a plain array without pagination: `paginated: false`. Only for small collections below a parent.
   *
   * @default true
   */
  readonly paginated?: false
  /**
   * The page size of the lists, in records: `pageSize: { default: 20, maximum: 100 }`.
   *
   * @default the page size of the API
   */
  readonly pageSize?: PageSize
  /**
   * The enabled operations: `offers: ['list', 'read']` for a read-only resource.
   *
   * @default all operations that the API's form of writes allows at this path
   */
  readonly offers?: readonly Offer[]
  /**
   * Operations for handlers of your service only: `internal: ['create']`. Clients cannot call them, and documents and clients do
   * not have them.
   *
   * @default none
   */
  readonly internal?: readonly Offer[]
  /**
   * The OAuth scopes that operations require: `scopes: { delete: 'loan:purge' }`. Writes except `erase` also require
   * the scope of `read`, because they return the record.
   *
   * @default `{noun}:read` for reads, `{noun}:write` for writes, `{noun}:erase` for `erase`, and the `{noun}:write` of the
   * parent for `link`
   */
  readonly scopes?: { readonly [Kind in Offer]?: string }
  /**
   * Custom operations (actions), by the name that becomes the last path segment: `operations: { reopening }`. A name may
   * have one operation per method: `operations: { lock: [locking, unlocking] }`.
   */
  readonly operations?: NamedOperations
  /**
   * Requires optimistic locking: `ifMatch: 'required'`. PUT, PATCH and DELETE without an If-Match header get 428.
   *
   * @default If-Match is optional
   */
  readonly ifMatch?: 'required'
  /**
   * Marks the resource and its children as deprecated, `deprecated: { since: '2026-03-01' }`, or single operations:
   * `deprecated: { replace: { since: '2026-03-01', successor: '/v2/user' } }`.
   */
  readonly deprecated?: Deprecation | { readonly [Kind in Offer]?: Deprecation }
  /** Exceptions from lint rules for this resource: `ignore: [{ code: 'nested-object', reason: … }]`. */
  readonly ignore?: readonly IgnoredRule[]
  /**
   * The relation of a child to its parent: a reference, `via: 'manager'`, a link, `via: userRole`, or a path of several
   * from the child to the parent, `via: [roleAction, userRole]`.
   *
   * @default the only reference to the parent
   */
  readonly via?: Via
  /** Nested resources (sub-resources): `children: [resource(preference)]` for `/user/{userId}/preference`. */
  readonly children?: readonly AnyResource[]
}

type FilterValue = string | number | boolean | null

/** Page sizes of lists, in records. */
export interface PageSize {
  /**
   * The number of records per page if the request has no `pageSize`: `default: 20`.
   *
   * @default 10
   */
  readonly default?: number
  /**
   * The largest `pageSize` that a request may have: `maximum: 100`. A larger one gets 400.
   *
   * @default 1000
   */
  readonly maximum?: number
}

/** A resource declaration, as `resource()` returns it. */
export interface Resource<N extends AnyNoun, R extends Renames, O> {
  readonly noun: N
  readonly rename: R
  readonly options: O
}

/** Any resource declaration, whatever its noun and options. */
// biome-ignore lint/suspicious/noExplicitAny: `unknown` would not accept every resource
export type AnyResource = Resource<any, any, any>

/**
 * Declares a resource (endpoint group): how an API shows a noun, with its list, filters, lookups and nested resources.
 * Options refer to properties by their name in the API; `rename` maps such a name to the field of the noun.
 *
 * @example
 * ```ts
 * resource(user, {
 *   rename: { createdDate: 'created' },
 *   list: ['id', 'lastName', 'email'], // GET /user
 *   search: ['lastName'], // GET /user?search=smith
 *   by: ['email'], // GET /user/by-email/{email}
 *   filters: { joined: range('createdDate') }, // GET /user?joinedFrom=2026-01-01
 * })
 * ```
 *
 * @throws DeclarationError if an option is invalid
 */
export function resource<
  N extends AnyNoun,
  const O extends ResourceOptions<ShownName<N, R>, StoredName<N, R>> = Record<never, never>,
  const R extends { readonly [shown: string]: FieldName<N> | ComputedName<N> } = Record<never, never>,
>(
  noun: N,
  options?: O & ValidResourceOptions<N, UniqueName<N, R>, O> & { readonly rename?: R },
): Resource<N, NoInfer<R>, NoInfer<O>> {
  const { rename = {} as R, ...others } = options ?? ({} as { readonly rename?: R })
  const declaration = { noun, rename, options: others as O }
  const { children = [] } = others as ResourceOptions
  // The check reports children that are not an array.
  const usedDeclarations = [noun, ...(Array.isArray(children) ? children : [])]
  return declare(declaration, usedDeclarations, () => checkResource(declaration))
}
