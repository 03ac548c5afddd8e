/** One request and its answer, and the line for a shell that repeats it. */
import { type DocumentOperation, isObject } from '@nomen/core/openapi'
import type { Json } from '../../document/read-document.ts'

export interface Ask {
  readonly method: string
  /** Below the base, with all of its values in it. */
  readonly path: string
  readonly query?: Query
  /** Sent as JSON. */
  readonly body?: Json
  /** Sent as it stands, in place of a body. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** What the document says of it; absent for what it does not offer. */
  readonly operation?: DocumentOperation | undefined
}

/** Names may come again. */
export type Query = readonly (readonly [name: string, value: string])[]

export interface Answer {
  readonly ask: Ask
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined where the text is no JSON. */
  readonly json: Json | undefined
}

/** The path and the query of a request. */
export function targetOf({ path, query = [] }: Ask): string {
  const text = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
  return text === '' ? path : `${path}?${text}`
}

/** The body as it is sent, and its media type. */
export function contentOf({ body, text, headers = {} }: Ask): { text: string | undefined; type: string | undefined } {
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
  return { text: content, type: headers['content-type'] ?? (content === undefined ? undefined : 'application/json') }
}

/** What shows the answer in a shell. A token stands in it as the variable, never as itself. */
export function curlLine({ ask, url }: Answer, tokenVariable?: string): string {
  const { text, type } = contentOf(ask)
  const headers = Object.entries({ ...ask.headers, ...(type && { 'content-type': type }) })
  return [
    'curl -i',
    ...(ask.method === 'GET' ? [] : [`-X ${ask.method}`]),
    quoted(url),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(tokenVariable ? [`-H "authorization: Bearer $${tokenVariable}"`] : []),
    ...(text === undefined ? [] : [`--data-raw ${quoted(text)}`]),
  ].join(' ')
}

/** A text as one word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Equal as JSON: the order of properties says nothing. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, at) => isSame(one, b[at]))
  if (!isObject(a) || !isObject(b)) return false
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => name in b && isSame(a[name], b[name]))
}

/** Whether a media type is JSON. */
export function isJsonType(type: string): boolean {
  return /^application\/([\w.+-]+\+)?json\b/i.test(type)
}
