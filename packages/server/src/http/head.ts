/** The head of an answer: what both ways out of the service share. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { chosenEncoding, type Encoding } from '../answer/encoding.ts'
import type { Answer } from '../answer/write-answer.ts'
import { encodedTag } from '../entity-tag.ts'
import type { RequestWatch } from '../request-watch.ts'
import type { Cors } from './cors.ts'
import { quotaOf } from './limited-gate.ts'
import { isRequestId, requestId } from './request-id.ts'

export interface HeadOptions {
  readonly cors?: Cors | undefined
  /** Whether clients reach the service by https, and are to use nothing else from now on. */
  readonly isSecure?: boolean
}

/** Begins the head of the answer to a request, as names and values in turn; the first is its identity. */
export type HeadStart = (headers: IncomingHttpHeaders) => string[]

export function headStart({ cors, isSecure = false }: HeadOptions): HeadStart {
  const vary = cors ? 'accept-encoding, origin' : 'accept-encoding'
  return (headers) => {
    // Written out: a copy of a list that is made ahead takes longer.
    const head = ['x-request-id', idOf(headers), 'vary', vary, 'x-content-type-options', 'nosniff']
    if (isSecure) head.push('strict-transport-security', 'max-age=31536000')
    const transaction = headers['x-transaction-id']
    if (transaction !== undefined) head.push('x-transaction-id', `${transaction}`)
    cors?.addTo(head, headers)
    return head
  }
}

/** Metadata travels in headers: a request has the identity that it brings, or is given one. */
function idOf({ 'x-request-id': id }: IncomingHttpHeaders): string {
  return isRequestId(id) ? id : requestId()
}

/** The same, and the request has it from then on, whoever asks next. */
export function keptIdOf(headers: IncomingHttpHeaders): string {
  const id = idOf(headers)
  headers['x-request-id'] = id
  return id
}

export function encodingFor(headers: IncomingHttpHeaders, { body }: Answer): Encoding | undefined {
  const accepted = headers['accept-encoding']
  return chosenEncoding(typeof accepted === 'string' ? accepted : undefined, body.length)
}

/** Adds what the answer itself says in headers, as names and values in turn. */
export function addHead(head: string[], answer: Answer, encoding: Encoding | undefined): void {
  const { tag, headers, mediaType } = answer
  if (tag !== undefined) head.push('etag', encodedTag(tag, encoding))
  // What is kept is asked for again before it is shown: a record may have changed.
  if (headers?.['cache-control'] === undefined) head.push('cache-control', 'no-cache')
  if (headers) for (const [name, value] of Object.entries(headers)) head.push(name, value)
  if (isBodiless(answer)) return
  if (encoding !== undefined) head.push('content-encoding', encoding)
  if (mediaType !== undefined) head.push('content-type', mediaType)
}

/** Adds what the caller has left of the limit, where there is one. */
export function addQuota(head: string[], request: IncomingMessage): void {
  const quota = quotaOf(request)
  if (quota) head.push('ratelimit-policy', quota['ratelimit-policy'], 'ratelimit', quota.ratelimit)
}

/** Adds how long the answer took, where that is told. */
export function addTiming(head: string[], { serverTiming }: RequestWatch): void {
  if (serverTiming !== undefined) head.push('server-timing', serverTiming)
}

export function isBodiless({ status }: Answer): boolean {
  return status === 304 || status === 204
}
