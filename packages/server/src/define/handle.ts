/** Handlers: the implementations of custom operations. */
import {
  type AnyApi,
  type AnyNoun,
  type CustomOperation,
  DeclarationError,
  type IdentityOf,
  type Operation,
  type OperationOptions,
  type OperationOutput,
  type RecordOf,
  type ResponseInput,
} from '@nomen/core'
import type { Client } from '@nomen/core/client'
import type { Model } from '../store/model.ts'
import type { Caller } from './caller/caller.ts'

/** The request of a custom operation, as its handler gets it. */
export type HandlerRequest<N, O extends OperationOptions> = {
  /** The identities of the parent records in the path, outermost first. They exist, and the caller sees them. */
  readonly ancestors: readonly (number | string)[]
  /** The validated body with its defaults; undefined if the operation declares none. */
  readonly body: O extends { readonly body: infer F } ? OperationOutput<F> : undefined
  /** The validated query parameters with their defaults; undefined if the operation declares none. */
  readonly query: O extends { readonly query: infer F } ? OperationOutput<F> : undefined
  /** The caller of the request: user, scopes and claims. */
  readonly caller: Caller
  /** The request ID, which the response has as `X-Request-Id`. */
  readonly requestId: string
  /**
   * Calls operations of the service in process, on behalf of the same caller or of the one that you pass.
   *
   * @example
   * const ticket = await call(desk).ticket.read(7)
   */
  readonly call: InProcess
  /**
   * Runs several calls in one transaction: all of their writes commit, or none. Use the `call` that the function gets.
   *
   * @example
   * await transaction(async (call) => { … })
   */
  readonly transaction: RunTransaction
} & (O extends { readonly on: 'record' }
  ? {
      /** The identity of the record. */
      readonly key: IdentityOf<N>
      /** The record as it is stored. The caller can see it. */
      readonly record: RecordOf<N>
    }
  : unknown)

/**
 * Returns a client of one of the service's apis that calls it in process, without HTTP. It also has the `internal` operations of
 * the api's resources, and writes `.managed()` fields.
 *
 * @example
 * await call(directory).user.update(7, { status: 'LOCKED' })
 */
export type InProcess = <A extends AnyApi>(api: A, caller?: Caller) => Client<A, 'handler'>

/**
 * Runs several calls in one transaction and returns the result of the function once their writes are durable. Other requests
 * see all of the writes or none.
 *
 * If the function throws or exceeds the time limit, the transaction is rolled back. On PostgreSQL, the function may run again
 * from its beginning after a conflict with a concurrent write.
 *
 * @example
 * await transaction(async (call) => {
 *   const { account } = call(bank)
 *   const [from, to] = [await account.read(key), await account.read(body.to)]
 *   await account.update(from.id, { balance: from.balance - body.amount })
 *   await account.update(to.id, { balance: to.balance + body.amount })
 * })
 */
export type RunTransaction = <Result>(
  work: (call: InProcess) => Promise<Result>,
  options?: {
    /**
     * Time limit in milliseconds, from 1 to 60,000.
     *
     * @default 5000
     */
    readonly limit?: number
  },
) => Promise<Result>

/** The return type of a handler: all properties of the response that have no default. Anything if the response is empty. */
type HandlerResult<O> = O extends { readonly response: infer R } ? ResponseInput<R> : unknown

/** The implementation of a custom operation, declared by `handle`. */
export interface Handler {
  readonly noun: AnyNoun
  readonly operation: CustomOperation
  /** Handles one request. Its result is checked at every call. */
  readonly run: (request: never) => unknown
}

/**
 * Implements a custom operation. The function gets the validated request and returns the body of the response, which must
 * match the declared `response`; other properties are not sent. To respond with a problem, throw a `ProblemError`. Any other
 * error becomes a 500.
 *
 * @example
 * ```ts
 * handle(loan, renewal, async ({ key, body, call }) => {
 *   const { due } = await call(library).loan.update(key, { due: body.due })
 *   return { due }
 * })
 * ```
 */
export function handle<N extends AnyNoun, O extends OperationOptions, const Result extends HandlerResult<O>>(
  noun: N,
  operation: CustomOperation<O>,
  run: (request: HandlerRequest<N, O>) => Result | Promise<Result>,
): Handler {
  return { noun, operation, run }
}

export function isHandlerOf({ noun, operation }: Handler, { resource, custom }: Operation): boolean {
  return noun === resource.noun && operation === custom?.declaration
}

/** Checks that every custom operation has exactly one handler, and that every handler has an operation. */
export function checkHandlers(
  subject: string,
  handlers: readonly Handler[],
  table: readonly Operation[],
  model: Model,
): void {
  const custom = table.filter((operation) => operation.custom)
  for (const operation of custom) {
    const { method, path, resource } = operation
    const matching = handlers.filter((handler) => isHandlerOf(handler, operation))
    // A retired operation responds with 410 and needs no handler.
    if (matching.length === 0 && !operation.deprecation?.gone)
      throw new DeclarationError(
        subject,
        `${method} ${path} has no handler.`,
        `add handlers: [handle(${resource.noun.name}, ${operation.custom?.name}, …)], with the operation that the resource declares.`,
      )
    if (matching.length > 1)
      throw new DeclarationError(
        subject,
        `${method} ${path} has ${matching.length} handlers.`,
        'remove all but one of them.',
      )
  }
  const unused = handlers.find((handler) => !custom.some((operation) => isHandlerOf(handler, operation)))
  if (unused)
    throw new DeclarationError(
      subject,
      `it handles an operation of "${unused.noun.name}" that no API of the service offers.`,
      'declare the operation in a resource of the noun, or remove the handler.',
    )
  if (custom.length > 0) checkTargets(subject, custom, model)
}

/** A reference in a body or query is looked up in the database, so its noun must be stored. */
function checkTargets(subject: string, custom: readonly Operation[], { nouns }: Model): void {
  for (const operation of custom) {
    for (const [name, target] of operation.custom?.targets ?? []) {
      if (nouns.get(target.name)?.noun === target) continue
      throw new DeclarationError(
        subject,
        `"${name}" of ${operation.method} ${operation.path} references "${target.name}", but no API has a resource of "${target.name}".`,
        'add a resource, or declare an integer instead of the reference.',
      )
    }
  }
}
