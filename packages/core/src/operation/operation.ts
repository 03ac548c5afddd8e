/** An operation: one row of the operation table. */
import type { Deprecation } from '../declaration/deprecation.ts'
import type { FieldSpec } from '../field/field.ts'
import type { AnyLink } from '../noun/link.ts'
import type { Relation } from '../resource/relation.ts'
import type { AnyResource } from '../resource/resource.ts'
import type { Property, Shape } from '../resource/shape.ts'
import type { ProblemCode } from '../wire/problem.ts'
import type { Body } from './body.ts'
import type { CustomParts } from './custom.ts'
import type { OperationKind } from './kind.ts'
import type { ListParameter } from './list-parameter.ts'

/** An HTTP method of an operation. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A resource in a path: `/user/{id}` has one level, `/user/{userId}/preference/{id}` two. */
export interface Level {
  readonly resource: AnyResource
  /** The name of the ID in the path template. */
  readonly parameter: string
  /** The relations of the record to the levels before it. */
  readonly relations: readonly Relation[]
}

/** The parts of an operation that only a list has. */
export interface ListParts {
  readonly parameters: readonly ListParameter[]
  readonly isPaginated: boolean
  /**
   * Present for a list of history entries if its items contain the ID of the entry: clients can then wait for later entries, with
   * long polling or server-sent events.
   */
  readonly canBeFollowed?: true
  /** Present for a list of changes (`GET /user/change`): the parameters that the list of records (`GET /user`) supports and this list does not. */
  readonly unsupportedParameters?: readonly string[]
}

/** An operation (endpoint) of an api: a method on a path, with its parameters, shapes and problems. */
export interface Operation {
  /** Unique in the api: `user.list`, `user.preference.update`; `v2.user.list` if its version differs from the api's. */
  readonly id: string
  readonly api: string
  readonly version: number | undefined
  readonly kind: OperationKind
  readonly method: Method
  /** The path template: `/v1/user/{id}`. */
  readonly path: string
  /**
   * The resources of the path, in order; the last one is `resource`. Exception: for `GET /user/change`, only the resource of the
   * changes, without `user`.
   */
  readonly levels: readonly Level[]
  readonly resource: AnyResource
  /** The shape of the record, or of each record in a list. */
  readonly shape: Shape
  /** The status of a successful response. */
  readonly status: 200 | 201 | 204
  /** Present for a list. */
  readonly list?: ListParts
  /** Present for a write with a request body. */
  readonly body?: Body
  /** Present for a create and a restore: the path template of the record. */
  readonly location?: string
  /** Present for a lookup: the unique property in the path. */
  readonly lookup?: Property
  /** Present for a read of a noun with history: the type of the query parameter `at`. The response is the record as it was at that time. */
  readonly at?: FieldSpec
  /** Present for a list of the changes of all records of a resource. */
  readonly changesOf?: AnyResource
  /** Present for link and unlink. */
  readonly link?: AnyLink
  /** Present for a custom operation. */
  readonly custom?: CustomParts
  /** Present for an operation that `withoutFields()` has returned: the properties that it removed. */
  readonly hidden?: readonly string[]
  /** Whether the request must have an If-Match header. */
  readonly requiresIfMatch: boolean
  /** The description in the declaration. */
  readonly description?: string
  /** Present if the operation is deprecated. */
  readonly deprecation?: Deprecation
  /**
   * The codes of its own problems. Those that any request may get (such as `internal`), and those that depend on
   * authentication, tenants or visibility (such as `out-of-sight`), are not included.
   */
  readonly problems: readonly ProblemCode[]
}
