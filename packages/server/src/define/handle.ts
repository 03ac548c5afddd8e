/** Handlers: what an operation of the service's own does, attached where a service is put together. */
import {
  type AnswerInput,
  type AnyApi,
  type AnyNoun,
  type CustomOperation,
  DeclarationError,
  type IdentityOf,
  type Operation,
  type OperationOptions,
  type OperationOutput,
  type RecordOf,
} from '@nomen/core'
import type { Client } from '@nomen/core/client'
import type { Model } from '../store/model.ts'
import type { Caller } from './caller.ts'

/** What a handler is told of a request. */
export type Asked<N, O extends OperationOptions> = {
  /** The identities of the records above in the path, the outermost first. They are there, and the caller sees them. */
  readonly ancestors: readonly (number | string)[]
  readonly body: O extends { readonly body: infer F } ? OperationOutput<F> : undefined
  readonly query: O extends { readonly query: infer F } ? OperationOutput<F> : undefined
  /** Who asks. */
  readonly caller: Caller
  /** What the answer bears as `X-Request-Id`. */
  readonly requestId: string
  /**
   * Calls the service's own operations in process, on behalf of the same caller: `await call(desk).ticket.read(7)`. With
   * another caller as the second value, on behalf of that one.
   */
  readonly call: InProcess
  /**
   * Does several calls as one: all that they write is done, or nothing where its function throws. They are made by the `call`
   * that it gives: `await transaction(async (call) => { … })`.
   */
  readonly transaction: RunTransaction
} & (O extends { readonly on: 'record' }
  ? {
      /** The identity of the record. */
      readonly key: IdentityOf<N>
      /** The record as it is stored. It is there, and the caller sees it. */
      readonly record: RecordOf<N>
    }
  : unknown)

/** A client of one of the service's apis, without a connection. */
export type InProcess = <A extends AnyApi>(api: A, caller?: Caller) => Client<A>

/**
 * Gives what the function gives, once all that was written by its `call` is durable. Nobody sees any of it before; where the function
 * throws, or is not done within `limit` milliseconds (5000 unless given), nothing of it has happened. It may be called again from its
 * beginning, where other writes stood in its way on PostgreSQL.
 *
 * ```ts
 * await transaction(async (call) => {
 *   const { account } = call(bank)
 *   const [from, to] = [await account.read(key), await account.read(body.to)]
 *   await account.update(from.id, { balance: from.balance - body.amount })
 *   await account.update(to.id, { balance: to.balance + body.amount })
 * })
 * ```
 */
export type RunTransaction = <Result>(
  work: (call: InProcess) => Promise<Result>,
  options?: { readonly limit?: number },
) => Promise<Result>

/** What a handler gives: all of the answer that has no default, or whatever where nothing is answered. */
type Given<O> = O extends { readonly answer: infer A } ? AnswerInput<A> : unknown

export interface Handler {
  readonly noun: AnyNoun
  readonly declared: CustomOperation
  // biome-ignore lint/suspicious/noExplicitAny: of any operation; what it gives is checked whenever it is asked
  readonly answer: (asked: any) => unknown
}

/**
 * Says what an operation of the service's own does. A `ProblemError` that it throws is the answer; anything else that it
 * throws is a fault of the service, 500. What it gives must fit the answer that is declared, and nothing beyond that is shown.
 *
 * ```ts
 * handle(user, lock, async ({ key, body, call }) => {
 *   const { lastUpdated } = await call(directory).user.update(key, { status: 'LOCKED', reason: body.reason })
 *   return { since: lastUpdated }
 * })
 * ```
 */
export function handle<N extends AnyNoun, O extends OperationOptions, const Answer extends Given<O>>(
  noun: N,
  declared: CustomOperation<O>,
  answer: (asked: Asked<N, O>) => Answer | Promise<Answer>,
): Handler {
  return { noun, declared, answer }
}

export function isFor({ noun, declared }: Handler, { resource, custom }: Operation): boolean {
  return noun === resource.noun && declared === custom?.declared
}

/** An operation that nobody handles, or two do, and a handler of nothing, stop the start. */
export function checkHandlers(
  subject: string,
  handlers: readonly Handler[],
  table: readonly Operation[],
  model: Model,
): void {
  const custom = table.filter((one) => one.custom)
  for (const operation of custom) {
    const { method, path, resource } = operation
    const own = handlers.filter((one) => isFor(one, operation))
    // What is gone is not asked any more.
    if (own.length === 0 && !operation.deprecation?.gone)
      throw new DeclarationError(
        subject,
        `nothing handles ${method} ${path}.`,
        `add handlers: [handle(${resource.noun.name}, ${operation.custom?.name}, …)], with the operation that is declared there.`,
      )
    if (own.length > 1)
      throw new DeclarationError(subject, `${method} ${path} has ${own.length} handlers.`, 'leave all but one out.')
  }
  const idle = handlers.find((one) => !custom.some((operation) => isFor(one, operation)))
  if (idle)
    throw new DeclarationError(
      subject,
      `handles an operation of "${idle.noun.name}" that none of its apis offers.`,
      'declare it in a resource of the noun, or leave it out.',
    )
  if (custom.length > 0) checkTargets(subject, custom, model)
}

/** A reference can only be looked up among what is stored. */
function checkTargets(subject: string, custom: readonly Operation[], { nouns }: Model): void {
  for (const operation of custom) {
    for (const [name, target] of operation.custom?.targets ?? []) {
      if (nouns.get(target.name)?.noun === target) continue
      throw new DeclarationError(
        subject,
        `${operation.method} ${operation.path} takes "${name}", a reference to "${target.name}", which none of its apis shows or points at.`,
        'show the noun in one of them, or take an integer.',
      )
    }
  }
}
