/** The options of an api. */
import type { Contact, License } from '../declaration/contact.ts'
import type { Deprecation } from '../declaration/deprecation.ts'
import type { IgnoredRule } from '../declaration/ignored-rule.ts'
import type { AnyResource, PageSize } from '../resource/resource.ts'

/** Options of an API. */
export interface ApiOptions {
  /** Describes the API, as `info.description` of its OpenAPI document: `description: 'Books and loans of the city library.'`. */
  readonly description?: string
  /** The contact for callers, as `info.contact`: `contact: { name: 'Library team', email: 'library@example.com' }`. */
  readonly contact?: Contact
  /** The license of the API, as `info.license`: `license: { name: 'Apache 2.0', identifier: 'Apache-2.0' }`. */
  readonly license?: License
  /**
   * The version number in the path prefix: `version: 1` for `/v1`.
   *
   * @default none: paths have no prefix
   */
  readonly version?: number
  /**
   * The API versioning policy. `versioning: 'whole'`: all endpoints have one version, and a breaking change of one raises the
   * version of all. `versioning: 'per-noun'`: each resource or operation may have its own version.
   */
  readonly versioning: 'whole' | 'per-noun'
  /**
   * The paths of POST, PUT, PATCH and DELETE for child resources. `writes: 'nested'`: below the parent, such as
   * `/user/7/preference/1`. `writes: 'flat'`: at the root, such as `/preference/1`, with the ID of the parent in the body.
   */
  readonly writes: 'nested' | 'flat'
  /**
   * The page size of lists, in records: `pageSize: { default: 20, maximum: 500 }`. A resource may override it.
   *
   * @default { default: 10, maximum: 1000 }
   */
  readonly pageSize?: PageSize
  /** Exceptions from lint rules for this API: `ignore: [{ code: 'nested-object', reason: … }]`. */
  readonly ignore?: readonly IgnoredRule[]
  /** Marks the whole API as deprecated: `deprecated: { since: '2026-03-01', successor: '/v2' }`. */
  readonly deprecated?: Deprecation
  /** The root resources (endpoint groups): `resources: [resource(user), resource(department)]`. */
  readonly resources: readonly AnyResource[]
}
