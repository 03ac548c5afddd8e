/** The head of an answer: what both ways out of the service share. */
import type { IncomingHttpHeaders } from 'node:http'
import { chosenEncoding, type Encoding } from '../answer/encoding.ts'
import type { Answer } from '../answer/write-answer.ts'
import { encodedTag } from '../entity-tag.ts'
import { requestId } from './request-id.ts'

/** Metadata travels in headers: a request has the identity that it brings, or is given one. */
export function idOf({ 'x-request-id': id }: IncomingHttpHeaders): string {
  return typeof id === 'string' && /^[\x21-\x7e]{1,128}$/.test(id) ? id : requestId()
}

export function encodingFor(headers: IncomingHttpHeaders, { body }: Answer): Encoding | undefined {
  const accepted = headers['accept-encoding']
  return chosenEncoding(typeof accepted === 'string' ? accepted : undefined, body.length)
}

/** Adds what the answer itself says in headers, as names and values in turn. */
export function addHead(head: string[], answer: Answer, encoding: Encoding | undefined): void {
  const { tag, headers, mediaType } = answer
  if (tag !== undefined) head.push('etag', encodedTag(tag, encoding))
  if (headers) for (const [name, value] of Object.entries(headers)) head.push(name, value)
  if (isBodiless(answer)) return
  if (encoding !== undefined) head.push('content-encoding', encoding)
  if (mediaType !== undefined) head.push('content-type', mediaType)
}

export function isBodiless({ status }: Answer): boolean {
  return status === 304 || status === 204
}
