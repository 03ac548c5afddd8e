/** The last stage of the pipeline: what depends on the lifetime of the operation, and what a change makes stale. */
import { deprecationHeaders, type Operation, problem } from '@nomen/core'
import type { Caller } from '../define/caller.ts'
import { andThen, attempt, type MaybePromise } from '../foundation/maybe-promise.ts'
import { type Answer, problemAnswer } from '../message/answer.ts'
import { thrownProblem } from './answer/thrown-problem.ts'
import type { RawRequest } from './read/ask.ts'

type Serve = (raw: RawRequest, caller: Caller) => MaybePromise<Answer>

/** The pipeline of an operation that has been removed: 410 Gone. */
export function goneResponse({ method, path, deprecation }: Operation): Serve {
  const { sunset, successor } = deprecation ?? {}
  // It may be gone before the day that was announced.
  const since = sunset !== undefined && Date.parse(sunset) <= Date.now() ? `, since ${sunset}` : ''
  const gone = problem('gone', {
    detail: `${method} ${path} is served no more${since}.`,
    ...(successor !== undefined && { hint: `Use ${successor}.` }),
  })
  return () => problemAnswer(gone)
}

/** Adds the deprecation headers of an operation to every response, problems included. */
export function deprecationHeadersOf({ deprecation }: Operation, serve: Serve): Serve {
  if (!deprecation) return serve
  const added = deprecationHeaders(deprecation)
  const withHeaders = (answer: Answer): Answer => ({ ...answer, headers: { ...answer.headers, ...added } })
  const problemOf = (error: unknown): Answer => {
    const answer = thrownProblem(error)
    if (answer) return answer
    throw error
  }
  return (raw, caller) =>
    andThen(
      attempt(() => serve(raw, caller), problemOf),
      withHeaders,
    )
}

/** Drops cached caller records after an operation that may have changed one, and again when its transaction ends. */
export function forgetCallersAfter(serve: Serve, forget: () => void): Serve {
  return async (raw, caller) => {
    try {
      return await serve(raw, caller)
    } finally {
      forget()
      // Until the transaction ends, other requests read and cache the records before it.
      raw.transaction?.atEnd(forget)
    }
  }
}
