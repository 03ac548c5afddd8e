/** The stage `finish` of the pipeline: deprecation and retirement of operations, and invalidation of cached callers. */
import { deprecationHeaders, type Operation, problem } from '@nomen/core'
import type { Caller } from '../define/caller/caller.ts'
import { andThen, attempt, type MaybePromise } from '../foundation/maybe-promise.ts'
import { problemResponse, type TextResponse } from '../message/text-response.ts'
import type { RawRequest } from './read/parsed-request.ts'
import { thrownProblem } from './respond/thrown-problem.ts'

/** Handles requests of one operation. */
export type Serve = (raw: RawRequest, caller: Caller) => MaybePromise<TextResponse>

/** The pipeline of an operation that has been removed: 410 Gone. */
export function gonePipeline({ method, path, deprecation }: Operation): Serve {
  const { sunset, successor } = deprecation ?? {}
  // The operation may be retired before the announced date.
  const since = sunset !== undefined && Date.parse(sunset) <= Date.now() ? ` on ${sunset}` : ''
  const gone = problem('gone', {
    detail: `${method} ${path} was removed${since}.`,
    ...(successor !== undefined && { hint: `Use ${successor}.` }),
  })
  return () => problemResponse(gone)
}

/** Adds the deprecation headers of an operation to every response, problems included. */
export function withDeprecationHeaders({ deprecation }: Operation, serve: Serve): Serve {
  if (!deprecation) return serve
  const addedHeaders = deprecationHeaders(deprecation)
  const withHeaders = (response: TextResponse): TextResponse => ({
    ...response,
    headers: { ...response.headers, ...addedHeaders },
  })
  const problemOf = (error: unknown): TextResponse => {
    const response = thrownProblem(error)
    if (response) return response
    throw error
  }
  return (raw, caller) =>
    andThen(
      attempt(() => serve(raw, caller), problemOf),
      withHeaders,
    )
}

/** Invalidates cached caller records after an operation that may have changed one, and again when its transaction ends. */
export function withCallerInvalidation(serve: Serve, invalidate: () => void): Serve {
  return async (raw, caller) => {
    try {
      return await serve(raw, caller)
    } finally {
      invalidate()
      // Until the transaction ends, other requests read and cache the records before it.
      raw.transaction?.atEnd(invalidate)
    }
  }
}
