/** A request and its response, as plain data. */
import type { OpenService } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import type { Query } from './query.ts'

export type Verb = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Request {
  method: Verb
  /** The unencoded segments. */
  path: readonly string[]
  query: Query
  headers: Readonly<Record<string, string>>
  /** The body as sent. */
  text?: string
}

export interface Reply {
  status: number
  headers: Readonly<Record<string, unknown>>
  text: string
  /** The parsed body; undefined if it is not valid JSON. */
  json: unknown
  /** Milliseconds before the request was sent and after the response. */
  startTime: number
  endTime: number
}

/** The part of a running service that the test needs. */
export type Service = Pick<OpenService, 'listener' | 'close'>

function urlOf({ path, query }: Request): string {
  const parameters = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
  return `/${path.map(encodeURIComponent).join('/')}${parameters && `?${parameters}`}`
}

/** The request in one readable line. */
export function describeRequest(request: Request): string {
  const headers = Object.entries(request.headers).map(([name, value]) => ` ${name}: ${value}`)
  const isPlain = headers.length === 1 && request.headers['content-type'] === 'application/json'
  return `${request.method} ${urlOf(request)}${isPlain ? '' : headers.join('')}${request.text ? ` ${request.text}` : ''}`
}

export async function send(service: Service, request: Request): Promise<Reply> {
  const startTime = Date.now()
  const { statusCode, headers, body } = await inject(service, {
    method: request.method,
    url: urlOf(request),
    headers: { ...request.headers },
    ...(request.text !== undefined && { payload: request.text }),
  })
  const endTime = Date.now()
  return { status: statusCode, headers: { ...headers }, text: body, json: parseJson(body), startTime, endTime }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
