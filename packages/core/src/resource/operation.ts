/** Operations of a service's own: what a declaration tells of them. What they do is said in the service file. */
import type { Deprecation } from '../declaration/deprecation.ts'
import { kebabCase } from '../naming/kebab-case.ts'
import type { Fields, TraitsOf, ValueOf } from '../noun/noun.ts'
import type { ProblemCode } from '../wire/problem.ts'

export interface OperationOptions {
  /** A `GET` reads and changes nothing; the others may do whatever they are for: `method: 'POST'`. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Of one record, `on: 'record'` for `/ticket/{id}/reopening`, or of all, `on: 'collection'` for `/ticket/digest`. */
  readonly on: 'record' | 'collection'
  /** The query parameters of a GET: `query: { since: date().nullable() }`. */
  readonly query?: Fields
  /** What the body of a POST or PUT holds: `body: { reason: text({ minLength: 1 }) }`. */
  readonly body?: Fields
  /**
   * What is answered, 200; 204 and nothing where left out: `answer: { status: choice('OPEN') }`. In brackets, a list of
   * such objects: `answer: [{ month: date(), count: integer() }]`.
   */
  readonly answer?: Fields | readonly [Fields]
  /** What the service's own code may answer in place of it, for those who read the document: `problems: ['rule-broken']`. */
  readonly problems?: readonly ProblemCode[]
  /** What documents call it: `summary: 'Reopen a ticket'`. */
  readonly summary?: string
  /** It should not be called any more: `deprecated: { since: '2026-03-01' }`. */
  readonly deprecated?: Deprecation
}

/** An operation that the service file gives its meaning. */
export interface CustomOperation<out O extends OperationOptions = OperationOptions> {
  readonly kind: 'operation'
  readonly options: O
}

/**
 * Declares an operation that the service file gives its meaning, `handle(user, lock, …)`. The name that a resource gives it
 * stands in the path; one name may have an operation for each method.
 *
 * ```ts
 * const lock = operation({ method: 'PUT', on: 'record', body: { reason: text() }, answer: { since: timestamp() } })
 * resource(user, { operations: { lock } }) // PUT /user/{id}/lock
 * ```
 */
export function operation<const O extends OperationOptions>(options: O & OperationMistake<O>): CustomOperation<O> {
  return { kind: 'operation', options }
}

/** Anything where nothing is wrong; else the compiler quotes the text. */
type OperationMistake<O> = O extends { readonly method: 'GET' }
  ? { readonly body?: 'a GET has no body: use query' } & (O extends { readonly answer: unknown }
      ? unknown
      : { readonly answer: 'a GET answers something: say what' })
  : { readonly query?: 'only a GET has a query: use body' } & (O extends { readonly method: 'DELETE' }
      ? { readonly body?: 'a DELETE has no body: use POST' }
      : unknown)

/** What whoever calls gives: fields with a default may be left out. */
export type OperationInput<F> = Flat<
  { -readonly [K in keyof F as 'default' extends TraitsOf<F[K]> ? never : K]: ValueOf<F[K]> } & {
    -readonly [K in keyof F as 'default' extends TraitsOf<F[K]> ? K : never]?: ValueOf<F[K]>
  }
>

/** The same with all defaults filled in: what whoever is called gets. */
export type OperationOutput<F> = Flat<{ -readonly [K in keyof F]: ValueOf<F[K]> }>

type Flat<T> = { [K in keyof T]: T[K] }

/** What a handler gives as the answer: in a list as well, fields with a default may be left out. */
export type AnswerInput<A> = A extends readonly [infer F] ? readonly OperationInput<F>[] : OperationInput<A>

/** What a client gets as the answer. */
export type AnswerOutput<A> = A extends readonly [infer F] ? OperationOutput<F>[] : OperationOutput<A>

/** The fields of an answer, those of each object where it is a list. */
export function answerFields(answer: Fields | readonly [Fields]): Fields {
  return isListAnswer(answer) ? answer[0] : answer
}

export function isListAnswer(answer: Fields | readonly [Fields] | undefined): answer is readonly [Fields] {
  return Array.isArray(answer)
}

/** The operations of a resource by the names that it gives them; of one name, there is one for each method. */
export interface NamedOperations {
  readonly [name: string]: CustomOperation | readonly CustomOperation[]
}

/** One operation of a resource, and the segment that it has in the path. */
export interface NamedOperation {
  readonly name: string
  readonly segment: string
  readonly declared: CustomOperation
}

export function namedOperations(given: NamedOperations = {}): readonly NamedOperation[] {
  return Object.entries(given).flatMap(([name, some]) =>
    ([some].flat() as readonly CustomOperation[]).map((declared) => ({ name, segment: kebabCase(name), declared })),
  )
}
