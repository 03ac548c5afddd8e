/** Sends responses: adds the headers that all of them have, and compresses bodies. */

import { problemTypeReplacer } from '../message/problem-type.ts'
import { hasNoBody, problemMediaType, type TextResponse } from '../message/text-response.ts'
import type { FaultListener } from '../observe/fault-report.ts'
import { encodedTag } from '../pipeline/entity-tag.ts'
import { type Encoding, encode, negotiateEncoding } from '../pipeline/respond/encoding.ts'
import type { Cors } from './admit/cors.ts'
import { countedBody } from './counted-body.ts'
import { faultyRequest } from './error-response.ts'
import type { Exchange, ResponseBody } from './exchange.ts'

/** A response of the pipeline, or of a page. */
export interface HttpResponse extends Omit<TextResponse, 'body'> {
  readonly body: ResponseBody
  /** The encoding of a body that is already compressed. */
  readonly encoding?: Encoding | undefined
}

export interface ResponderOptions {
  readonly cors?: Cors | undefined
  /** Whether clients reach the service by https, and must not use http. */
  readonly isSecure?: boolean
  readonly problemTypeUrl?: string | undefined
  readonly onFault: FaultListener
}

export type Respond = (exchange: Exchange, response: HttpResponse) => void

/** Sends responses with the headers that all of them have, compressed if that is worth it and the client accepts it. */
export function responder({ cors, isSecure = false, problemTypeUrl, onFault }: ResponderOptions): Respond {
  const withTypes = problemTypeReplacer(problemTypeUrl)
  const vary = cors ? 'accept-encoding, origin' : 'accept-encoding'
  const commonHeaders = ({ request: { headers }, requestId }: Exchange): string[] => {
    // Creates the list for each response: copying a prepared one takes longer.
    const rawHeaders = ['x-request-id', requestId, 'vary', vary, 'x-content-type-options', 'nosniff']
    if (isSecure) rawHeaders.push('strict-transport-security', 'max-age=31536000')
    const transaction = headers['x-transaction-id']
    if (transaction !== undefined) rawHeaders.push('x-transaction-id', `${transaction}`)
    cors?.addTo(rawHeaders, headers)
    return rawHeaders
  }
  return (exchange, response) => {
    const { request, transport, quota, trace } = exchange
    const { status, stream } = response
    // The response of a stream that fails has begun, so it cannot become a problem.
    const body = stream
      ? countedBody(stream, (error) => error && onFault(error, faultyRequest(exchange)))
      : bodyWithTypes(response, withTypes)
    // Also for 304, which has the ETag that 200 would have.
    const encoding = typeof body === 'string' ? encodingFor(request.headers, body) : response.encoding
    const rawHeaders = commonHeaders(exchange)
    addHeaders(rawHeaders, response, encoding)
    if (quota) rawHeaders.push('ratelimit-policy', quota['ratelimit-policy'], 'ratelimit', quota.ratelimit)
    const timing = trace?.serverTiming
    if (timing !== undefined) rawHeaders.push('server-timing', timing)
    if (hasNoBody(status)) return transport.send(exchange, status, rawHeaders, undefined)
    exchange.isAsciiHead = response.headers === undefined && request.headers['x-transaction-id'] === undefined
    if (typeof body !== 'string' || encoding === undefined) return transport.send(exchange, status, rawHeaders, body)
    transport.registerPending(exchange)
    encode(body, encoding)
      .then((encoded) => transport.send(exchange, status, rawHeaders, encoded))
      .catch((error) => {
        onFault(error, faultyRequest(exchange))
        transport.abort()
      })
  }
}

function bodyWithTypes({ body, mediaType }: HttpResponse, withTypes: (json: string) => string): ResponseBody {
  return mediaType === problemMediaType && typeof body === 'string' ? withTypes(body) : body
}

function encodingFor(headers: Exchange['request']['headers'], body: string): Encoding | undefined {
  const acceptEncoding = headers['accept-encoding']
  return negotiateEncoding(typeof acceptEncoding === 'string' ? acceptEncoding : undefined, body.length)
}

function addHeaders(
  rawHeaders: string[],
  { etag: tag, headers, mediaType, status }: HttpResponse,
  encoding: Encoding | undefined,
) {
  if (tag !== undefined) rawHeaders.push('etag', encodedTag(tag, encoding))
  // A cache must revalidate before it shows a record, which may have changed.
  if (headers?.['cache-control'] === undefined) rawHeaders.push('cache-control', 'no-cache')
  if (headers) for (const [name, value] of Object.entries(headers)) rawHeaders.push(name, value)
  if (hasNoBody(status)) return
  if (encoding !== undefined) rawHeaders.push('content-encoding', encoding)
  if (mediaType !== undefined) rawHeaders.push('content-type', mediaType)
}
