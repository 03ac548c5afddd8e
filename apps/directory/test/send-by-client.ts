/** Sends requests with the typed client over a port, if the client supports them. */
import { client, ProblemError } from '@nomen/core/client'
import { expect } from 'vitest'

export interface RequestOptions {
  readonly method: string
  readonly url: string
  readonly payload?: string | Buffer
  readonly headers: Readonly<Record<string, string>>
}

/** A response in the form of `inject`. */
export interface InjectedResponse {
  readonly statusCode: number
  readonly headers: Record<string, unknown>
  readonly body: string
  json(): unknown
}

/** A service that can listen on a port. */
interface ListeningService {
  listen(options: { port: number }): Promise<string>
}

// biome-ignore lint/suspicious/noExplicitAny: calls are found by name
type Calls = any

const baseUrls = new WeakMap<ListeningService, Promise<string>>()

/** The number of requests that a client has sent. */
export const clientRequests = { count: 0 }

/** Returns the response, or undefined if the client has no call for the request. */
export async function sendByClient(
  app: ListeningService,
  request: RequestOptions,
): Promise<InjectedResponse | undefined> {
  const call = callOf(request)
  if (!call) return undefined
  if (!baseUrls.has(app)) baseUrls.set(app, app.listen({ port: 0 }))
  const baseUrl = (await baseUrls.get(app)) as string
  const responses: Response[] = []
  const recordingFetch = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init)
    responses.push(response.clone())
    return response
  }
  const version = /^\/v(\d+)\//.exec(request.url)?.[1]
  const options = { baseUrl, fetch: recordingFetch, retries: 0, ...(version && { version: Number(version) }) }
  const { 'content-type': _type, ...headers } = request.headers
  // Node would request compressed responses, which have different ETags.
  const callOptions = { headers: { 'accept-encoding': 'identity', ...headers } }
  const result = await call(client<Calls>(options as Calls), callOptions).catch((error: unknown) => error)
  const [response, ...furtherResponses] = responses
  if (!response) throw result
  expect(furtherResponses).toEqual([])
  clientRequests.count++
  const body = await response.text()
  if (response.ok) expect(result).toEqual(JSON.parse(body))
  else expect(result instanceof ProblemError && result.problem).toEqual(JSON.parse(body))
  const json = () => JSON.parse(body)
  return { statusCode: response.status, headers: Object.fromEntries(response.headers), body, json }
}

/** The call of the client that sends the request. */
function callOf({
  method,
  url,
  payload,
  headers,
}: RequestOptions): ((calls: Calls, call: object) => Promise<unknown>) | undefined {
  const [path = '', query, ...moreQueries] = url.split('?')
  const segments = path
    .replace(/^\/v\d+(?=\/)/, '')
    .split('/')
    .slice(1)
  const isPlain = segments.every((segment) => /^[\w.~@-]+$/.test(segment)) && moreQueries.length === 0
  const isJson = payload === undefined ? !('content-type' in headers) : headers['content-type'] === 'application/json'
  // The client has no cache, so it sends no If-None-Match.
  if ('if-none-match' in headers) return undefined
  if (!isPlain || !isJson || !isOffered(method, segments)) return undefined
  const body = payload === undefined ? undefined : parseBody(`${payload}`)
  const isBodied = method === 'POST' || method === 'PATCH' || (method === 'PUT' && payload !== undefined)
  if (isBodied !== (body !== undefined)) return undefined
  const names = query === undefined ? {} : valuesOf(query)
  const isList = method === 'GET' && segments.length % 2 === 1 && !isLookup(segments)
  if (names === undefined || (query !== undefined && !isList)) return undefined
  return (calls, call) => {
    let node = calls
    for (let index = 0; ; index += 2) {
      const [name = '', id, further] = segments.slice(index, index + 3)
      const [, noun = name, variant] = /^(.*)-(summary|detail)$/.exec(name) ?? []
      node = node[camelCase(noun)]
      if (id === undefined)
        return method === 'GET' ? (variant ? node[variant] : node).list(names, call) : node.create(body, call)
      if (id.startsWith('by-')) return node.by[camelCase(id.slice(3))](decodeURIComponent(`${further}`), call)
      if (further === undefined) return callRecord(node, method, id, body, call)
      node = node.of(id)
    }
  }
}

/** Whether the path alternates nouns and identities, and the client has a call for the method. */
function isOffered(method: string, segments: readonly string[]): boolean {
  if (isLookup(segments)) return method === 'GET' && isPath(segments.slice(0, -2))
  const methods = segments.length % 2 === 1 ? ['GET', 'POST'] : ['GET', 'PUT', 'PATCH', 'DELETE']
  return methods.includes(method) && isPath(segments)
}

function isPath(segments: readonly string[]): boolean {
  const isVariant = (name: string) => /-(summary|detail)$/.test(name)
  return segments.every(
    (segment, index) =>
      index % 2 === 1 || (/^[a-z][a-z-]*$/.test(segment) && (!isVariant(segment) || index === segments.length - 1)),
  )
}

function isLookup(segments: readonly string[]): boolean {
  return segments.length % 2 === 1 && segments.at(-2)?.startsWith('by-') === true
}

function callRecord(node: Calls, method: string, id: string, body: unknown, call: object): Promise<unknown> {
  if (method === 'PUT') return body === undefined ? node.link(id, call) : node.replace(id, body, call)
  if (method === 'PATCH') return node.update(id, body, call)
  return method === 'DELETE' ? node.delete(id, call) : node.read(id, call)
}

function parseBody(text: string): unknown {
  try {
    const value = JSON.parse(text)
    // The client would change a body that differs from the output of JSON.stringify.
    return JSON.stringify(value) === text ? value : undefined
  } catch {
    return undefined
  }
}

/** The values of each parameter; undefined if the client would write the query differently. */
function valuesOf(query: string): Record<string, string[]> | undefined {
  const names: Record<string, string[]> = {}
  for (const [name, value] of new URLSearchParams(query)) names[name] = [...(names[name] ?? []), value]
  const encodedQuery = new URLSearchParams(
    Object.entries(names).flatMap(([name, values]) => values.map((value) => [name, value])),
  )
  const sortedCharacters = (text: string) => [...text.replaceAll('%20', '+')].sort().join('')
  return sortedCharacters(`${encodedQuery}`) === sortedCharacters(query) ? names : undefined
}

function camelCase(kebab: string): string {
  return kebab.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
