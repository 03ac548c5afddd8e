/** The head of a request, as every transport gives it. */
import type { IncomingHttpHeaders } from 'node:http'

export interface RequestHead {
  readonly method: string
  /** The request target as the client sent it: path and query, or a whole URL. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Alternating names and values, including duplicates. */
  readonly rawHeaders: readonly string[]
  readonly httpVersion: string
}

const slash = 0x2f

/** Whether the target of a request is a path, as almost all are. */
export function isPath({ url }: RequestHead): boolean {
  return url.charCodeAt(0) === slash
}

/** The host of a request. If the target is a whole URL, its host counts, and the Host header is ignored (RFC 9112, 3.2.2). */
export function hostOf(request: RequestHead): string | undefined {
  const { url, headers } = request
  if (isPath(request)) return headers.host
  return /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? headers.host
}
