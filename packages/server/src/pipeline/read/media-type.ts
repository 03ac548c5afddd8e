/** The media type and the encoding of a request body, checked by its headers before it is read. */
import type { IncomingHttpHeaders } from 'node:http'
import { type Operation, type Problem, ProblemError, problem } from '@nomen/core'
import { quoted } from '../../foundation/quoted.ts'

/** A rejected body, with response headers that list what the operation accepts. */
export class MediaTypeError extends ProblemError {
  readonly headers: Readonly<Record<string, string>>

  constructor(document: Problem, headers: Readonly<Record<string, string>>) {
    super(document)
    this.headers = headers
  }
}

const json = 'application/json'
const mergePatch = 'application/merge-patch+json'

/** The response headers that list media types (RFC 5789, LDP); PUT has none of its own (RFC 9110, 15.5.16). */
const listHeaders: Readonly<Record<string, string>> = { POST: 'accept-post', PATCH: 'accept-patch' }

/** Creates the check of one operation at start. It returns an error if the operation cannot read such a body. */
export function mediaTypeCheck({
  kind,
  method,
}: Pick<Operation, 'kind' | 'method'>): (headers: IncomingHttpHeaders) => MediaTypeError | undefined {
  const types = kind === 'update' ? [json, mergePatch] : [json]
  const acceptHeaders = { [listHeaders[method] ?? 'accept']: types.join(', ') }
  const hint = `Send Content-Type: ${types.join(' or ')}, in UTF-8.`
  return (headers) => {
    const { 'content-type': type, 'content-encoding': encoding } = headers
    // The most common value needs no parsing.
    if (type !== json && !isAccepted(type, types)) {
      const detail = type === undefined ? 'The body has no Content-Type.' : `The Content-Type is ${quoted(type)}.`
      return new MediaTypeError(problem('unsupported-media-type', { detail, hint }), acceptHeaders)
    }
    return encoding === undefined || encoding === 'identity' ? undefined : unsupportedEncoding(encoding)
  }
}

function isAccepted(header: string | undefined, types: readonly string[]): boolean {
  const [type = '', ...parameters] = `${header ?? ''}`
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters
    .find((part) => part.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '')
  return types.includes(type) && (charset === undefined || charset === 'utf-8' || charset === 'utf8')
}

function unsupportedEncoding(encoding: string): MediaTypeError {
  const document = problem('unsupported-media-type', {
    detail: `The Content-Encoding ${quoted(encoding)} is not supported.`,
    hint: 'Send the body without Content-Encoding.',
  })
  return new MediaTypeError(document, { 'accept-encoding': 'identity' })
}
