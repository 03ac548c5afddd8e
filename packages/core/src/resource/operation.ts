/** Custom operations: their declaration. The service file implements them. */
import type { Deprecation } from '../declaration/deprecation.ts'
import { kebabCase } from '../naming/kebab-case.ts'
import type { Fields } from '../noun/noun-option.ts'
import type { TraitsOf, ValueOf } from '../noun/record-type.ts'
import type { ProblemCode } from '../wire/problem.ts'

/** Options of a custom operation. */
export interface OperationOptions {
  /** The HTTP method: `method: 'POST'`. A `GET` must not change anything. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path: `on: 'record'` for `/ticket/{id}/reopening`, `on: 'collection'` for `/ticket/digest`. */
  readonly on: 'record' | 'collection'
  /** The query parameters of a GET: `query: { since: date().nullable() }`. */
  readonly query?: Fields
  /** The JSON body of a POST or PUT: `body: { reason: text({ minLength: 1 }) }`. */
  readonly body?: Fields
  /**
   * The JSON body of the response, an object, `response: { status: choice('OPEN') }`, or an array of objects,
   * `response: [{ month: date(), count: integer() }]`. A GET must have one.
   *
   * @default none: the status is 204
   */
  readonly response?: Fields | readonly [Fields]
  /** The problem codes that your handler may return, for the OpenAPI document: `problems: ['rule-broken']`. */
  readonly problems?: readonly ProblemCode[]
  /** The title in the OpenAPI document and the console: `summary: 'Reopen a ticket'`. */
  readonly summary?: string
  /**
   * The OAuth scope that callers need: `scope: 'loan:renew'`.
   *
   * @default `{noun}:read` for a GET, `{noun}:write` for other methods
   */
  readonly scope?: string
  /** Describes the operation in the OpenAPI document and the console: `description: 'Notifies the owner by e-mail.'`. */
  readonly description?: string
  /** Marks the operation as deprecated: `deprecated: { since: '2026-03-01' }`. */
  readonly deprecated?: Deprecation
}

/** A custom operation (action), as `operation()` returns it. */
export interface CustomOperation<out O extends OperationOptions = OperationOptions> {
  readonly kind: 'operation'
  readonly options: O
}

/**
 * Declares a custom operation (action, RPC endpoint), which the service file implements with `handle` of `@nomen/server`.
 * Its name in the resource becomes the last path segment. A name may have one operation per HTTP method.
 *
 * @example
 * ```ts
 * export const lock = operation({
 *   method: 'PUT',
 *   on: 'record',
 *   body: { reason: text() },
 *   response: { since: timestamp() },
 * })
 * resource(user, { operations: { lock } }) // PUT /user/{id}/lock
 * ```
 *
 * @throws DeclarationError in `resource()`, if the name or an option is invalid
 */
export function operation<const O extends OperationOptions>(options: O & ValidOperationOptions<O>): CustomOperation<O> {
  return { kind: 'operation', options }
}

/** `unknown` for correct options; otherwise a message that the compiler prints. */
type ValidOperationOptions<O> = O extends { readonly method: 'GET' }
  ? { readonly body?: 'a GET has no body: use query' } & (O extends { readonly response: unknown }
      ? unknown
      : { readonly response: 'a GET needs a response' })
  : { readonly query?: 'only a GET has a query: use body' } & (O extends { readonly method: 'DELETE' }
      ? { readonly body?: 'a DELETE has no body: use POST' }
      : unknown)

/** The TypeScript type of the values that a caller sends. Fields with a default are optional. */
export type OperationInput<F> = Flat<
  { -readonly [K in keyof F as 'default' extends TraitsOf<F[K]> ? never : K]: ValueOf<F[K]> } & {
    -readonly [K in keyof F as 'default' extends TraitsOf<F[K]> ? K : never]?: ValueOf<F[K]>
  }
>

/** The TypeScript type of the values that a handler receives, with all defaults set. */
export type OperationOutput<F> = Flat<{ -readonly [K in keyof F]: ValueOf<F[K]> }>

type Flat<T> = { [K in keyof T]: T[K] }

/** The TypeScript type of the response that a handler returns. Fields with a default are optional. */
export type ResponseInput<R> = R extends readonly [infer F] ? readonly OperationInput<F>[] : OperationInput<R>

/** The TypeScript type of the response that a client receives. */
export type ResponseOutput<R> = R extends readonly [infer F] ? OperationOutput<F>[] : OperationOutput<R>

/** The fields of a response; for an array, those of each element. */
export function responseFields(response: Fields | readonly [Fields]): Fields {
  return isListResponse(response) ? response[0] : response
}

export function isListResponse(response: Fields | readonly [Fields] | undefined): response is readonly [Fields] {
  return Array.isArray(response)
}

/** The custom operations of a resource by name; one for each method of a name. */
export interface NamedOperations {
  readonly [name: string]: CustomOperation | readonly CustomOperation[]
}

/** A custom operation of a resource, with its path segment. */
export interface NamedOperation {
  readonly name: string
  readonly segment: string
  readonly declaration: CustomOperation
}

export function namedOperations(operations: NamedOperations = {}): readonly NamedOperation[] {
  return Object.entries(operations).flatMap(([name, declarations]) =>
    ([declarations].flat() as readonly CustomOperation[]).map((declaration) => ({
      name,
      segment: kebabCase(name),
      declaration,
    })),
  )
}
