/** Read-your-writes consistency with replicas, by the header X-Read-After. */
import { ProblemError } from '@nomen/core'
import type { Caller } from '../define/caller/caller.ts'
import { andThen, attempt, type MaybePromise } from '../foundation/maybe-promise.ts'
import { problemResponse, type TextResponse } from '../message/text-response.ts'
import type { Outcome } from '../store/outcome.ts'
import type { Reader } from '../store/plan.ts'
import type { RecordStore } from '../store/store.ts'
import type { PlanStep } from './plan.ts'
import type { ParsedRequest, RawRequest } from './read/parsed-request.ts'

/** In the response to a write, the header has its position in the write-ahead log. A read with that position waits for it. */
export const readAfter = 'x-read-after'

/** The reader of a request is identified by its user, or by its address without authentication. */
export function readerOf({ headers, address, isCurrent }: RawRequest, caller: Caller): Reader {
  const position = headers[readAfter]
  const name = caller.user === undefined ? `${address}` : `user ${caller.user}`
  if (isCurrent) return { name, isCurrent }
  return typeof position === 'string' ? { name, position } : { name }
}

/** Adds to the plan how recent a read must be; undefined if the store has no replicas. */
export function readerStep({ hasReplicas }: Pick<RecordStore, 'hasReplicas'>): PlanStep | undefined {
  return hasReplicas ? (plan, { raw }, { caller }) => ({ ...plan, reader: readerOf(raw, caller) }) : undefined
}

type Respond = (request: ParsedRequest, outcome: Outcome, caller: Caller) => MaybePromise<TextResponse>

/** Adds the position of an outcome to its response. A problem gets it, too, because it may depend on stored records. */
export function withReadPosition(respond: Respond): Respond {
  return (request, outcome, caller) => {
    if (outcome.position === undefined) return respond(request, outcome, caller)
    const position = { [readAfter]: outcome.position }
    const addPosition = (response: TextResponse) => ({ ...response, headers: { ...response.headers, ...position } })
    return attempt(
      () => andThen(respond(request, outcome, caller), addPosition),
      (error) => {
        if (error instanceof ProblemError) return problemResponse(error.problem, position)
        throw error
      },
    )
  }
}
