/** A request during mutation: starts as a valid request, is changed in place, and is then serialized. */
import type { DocumentOperation } from '@nomen/core/openapi'
import type { JsonObject } from '../../document/read-document.ts'
import type { Random } from '../request/random.ts'
import type { Segment, ValidRequest } from './valid-request.ts'
import type { Header, SendMode, WireRequest } from './wire-request.ts'

/** The user agent, by which an access log identifies the requests unless it is mutated. */
const userAgent = 'nomen-fuzz'

export interface MutableRequest {
  method: string
  segments: Segment[]
  query: string[]
  headers: Header[]
  /** The properties of the body as JSON; a body in bytes overrides them. */
  fields: [name: string, json: string][] | undefined
  body: Buffer | undefined
  mode: SendMode
  /** Undefined if the request no longer addresses the operation. */
  operation: DocumentOperation | undefined
  /** The request before the mutations. */
  readonly original: ValidRequest
  /** Whether records may be changed. */
  readonly isWriting: boolean
}

/** One mutation. Returns undefined if it does not apply. */
export type Mutation = (request: MutableRequest, random: Random) => string | undefined

export interface SendOptions {
  readonly host: string
  readonly token: string | undefined
  readonly isWriting: boolean
}

export function mutableRequest(original: ValidRequest, { host, token, isWriting }: SendOptions): MutableRequest {
  const { operation, segments, body } = original
  const type = [...(operation.body?.media.keys() ?? [])][0] ?? 'application/json'
  return {
    method: operation.method.toUpperCase(),
    segments: [...segments],
    query: [],
    headers: [
      ['host', host],
      ['user-agent', userAgent],
      ...(token === undefined ? [] : [['authorization', `Bearer ${token}`] as const]),
      ...(body ? [['content-type', type] as const] : []),
    ],
    fields: body && fieldsOf(body),
    body: undefined,
    mode: 'plain',
    operation,
    original,
    isWriting,
  }
}

function fieldsOf(body: JsonObject): [string, string][] {
  return Object.entries(body).map(([name, value]) => [name, JSON.stringify(value)])
}

export function toWireRequest(request: MutableRequest, descriptions: readonly string[], prefix: string): WireRequest {
  const { method, segments, query, headers, fields, body, mode, operation, original } = request
  const content =
    body ?? (fields && Buffer.from(`{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`)}}`))
  return {
    method,
    path: `${prefix}/${segments.map(({ text }) => text).join('/')}`,
    query,
    headers,
    body: content,
    mode,
    operation,
    subject: `${original.operation.method.toUpperCase()} ${original.operation.path}`,
    mutations: descriptions,
  }
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.below(items.length)] as Item
}

/** Sets a header, and replaces one of the same name in any case. */
export function setHeader(request: MutableRequest, name: string, value: string): void {
  request.headers = [...request.headers.filter(([header]) => header.toLowerCase() !== name), [name, value]]
}

/** Uses a separate connection, because the service may close it. */
export function useOwnConnection(request: MutableRequest): void {
  if (request.mode !== 'half-closed') request.mode = 'separate'
}
