/** A response before it is sent: status, headers and body, whatever the transport. */
import type { Problem } from '@nomen/core'

export interface TextResponse {
  readonly status: number
  readonly body: string
  /** The body as a stream, which is sent instead of `body`. */
  readonly stream?: AsyncIterable<Uint8Array>
  /** Media type of the body, if there is one. */
  readonly mediaType?: string
  /** The strong entity tag of a single record, without quotes. */
  readonly etag?: string
  readonly headers?: { readonly [name: string]: string }
}

export const problemMediaType = 'application/problem+json; charset=utf-8'

/** The response for a problem document. */
export function problemResponse(problem: Problem, headers?: TextResponse['headers']): TextResponse {
  return {
    status: problem.status,
    mediaType: problemMediaType,
    body: JSON.stringify(problem),
    ...(headers && { headers }),
  }
}

export function hasNoBody(status: number): boolean {
  return status === 304 || status === 204
}
