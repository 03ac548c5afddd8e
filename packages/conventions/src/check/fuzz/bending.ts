/** A request while it is being bent: begun from a seed, changed in place, and then made into what is sent. */
import type { DocumentOperation } from '@nomen/core/openapi'
import type { JsonObject } from '../../document/read-document.ts'
import type { Random } from '../request/random.ts'
import type { Seed, Segment } from './seed.ts'
import type { Header, Manner, WireRequest } from './wire-request.ts'

/** By this name the requests are known in an access log, as far as it is not bent itself. */
const userAgent = 'nomen-fuzz'

export interface Bending {
  method: string
  segments: Segment[]
  query: string[]
  headers: Header[]
  /** The properties of the body as JSON text each; a body in bytes comes before it. */
  fields: [name: string, json: string][] | undefined
  body: Buffer | undefined
  manner: Manner
  /** Undefined as soon as something else is asked for than the operation. */
  operation: DocumentOperation | undefined
  readonly seed: Seed
  /** Whether records may be changed. */
  readonly isWriting: boolean
}

/** One way of bending. Does nothing where it does not fit, and then says so by `undefined`. */
export type Bend = (given: Bending, random: Random) => string | undefined

export interface Sending {
  readonly host: string
  readonly token: string | undefined
  readonly isWriting: boolean
}

export function begun(seed: Seed, { host, token, isWriting }: Sending): Bending {
  const { operation, segments, body } = seed
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
    manner: 'plain',
    operation,
    seed,
    isWriting,
  }
}

function fieldsOf(body: JsonObject): [string, string][] {
  return Object.entries(body).map(([name, value]) => [name, JSON.stringify(value)])
}

export function finished(given: Bending, tricks: readonly string[], prefix: string): WireRequest {
  const { method, segments, query, headers, fields, body, manner, operation, seed } = given
  const content =
    body ?? (fields && Buffer.from(`{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`)}}`))
  return {
    method,
    path: `${prefix}/${segments.map(({ text }) => text).join('/')}`,
    query,
    headers,
    body: content,
    manner,
    operation,
    subject: `${seed.operation.method.toUpperCase()} ${seed.operation.path}`,
    tricks,
  }
}

export function pick<One>(random: Random, all: readonly One[]): One {
  return all[random.below(all.length)] as One
}

/** Sets a header, whatever was there; case is the sender's choice. */
export function setHeader(given: Bending, name: string, value: string): void {
  given.headers = [...given.headers.filter(([other]) => other.toLowerCase() !== name), [name, value]]
}

/** Sent apart from others: the connection may not survive it. */
export function ownConnection(given: Bending): void {
  if (given.manner !== 'cut') given.manner = 'own'
}
