/** A request with its response, and the shell command that repeats it. */
import { type DocumentOperation, isObject } from '@nomen/core/openapi'
import type { Json } from '../../document/read-document.ts'

export interface CheckRequest {
  readonly method: string
  /** The path below the base URL, with all values. */
  readonly path: string
  readonly query?: Query
  /** Sent as JSON. */
  readonly body?: Json
  /** A body that is sent as it is, instead of a JSON value. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The operation in the document; undefined if it has none. */
  readonly operation?: DocumentOperation | undefined
}

/** Query parameters; names may be repeated. */
export type Query = readonly (readonly [name: string, value: string])[]

export interface CheckResponse {
  readonly request: CheckRequest
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined if the body is not valid JSON. */
  readonly json: Json | undefined
}

/** The path and the query of a request. */
export function targetOf({ path, query = [] }: CheckRequest): string {
  const text = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
  return text === '' ? path : `${path}?${text}`
}

/** The serialized body, and its media type. */
export function contentOf({ body, text, headers = {} }: CheckRequest): {
  text: string | undefined
  type: string | undefined
} {
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
  return { text: content, type: headers['content-type'] ?? (content === undefined ? undefined : 'application/json') }
}

/** The curl command that repeats the request, with a variable instead of the token. */
export function curlLine({ request, url }: CheckResponse, tokenVariable?: string): string {
  const { text, type } = contentOf(request)
  const headers = Object.entries({ ...request.headers, ...(type && { 'content-type': type }) })
  return [
    'curl -i',
    ...(request.method === 'GET' ? [] : [`-X ${request.method}`]),
    quoteForShell(url),
    ...headers.map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(tokenVariable ? [`-H "authorization: Bearer $${tokenVariable}"`] : []),
    ...(text === undefined ? [] : [`--data-raw ${quoteForShell(text)}`]),
  ].join(' ')
}

/** Quotes a string for the shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Equal as JSON, independent of the order of properties. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]))
  if (!isObject(a) || !isObject(b)) return false
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => name in b && isSame(a[name], b[name]))
}

/** Whether a media type is JSON. */
export function isJsonType(type: string): boolean {
  return /^application\/([\w.+-]+\+)?json\b/i.test(type)
}
