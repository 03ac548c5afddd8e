/** The head of a request, as every transport gives it. */
import type { IncomingHttpHeaders } from 'node:http'

export interface RequestHead {
  readonly method: string
  /** The request target as the client sent it: path and query, or a whole URL. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Names and values in turn, duplicates included. */
  readonly rawHeaders: readonly string[]
  readonly httpVersion: string
}
