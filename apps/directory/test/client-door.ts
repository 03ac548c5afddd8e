/** Sends requests by way of the typed client, over a port: whatever it can say, it says. */
import { client, ProblemError } from '@nomen/core/client'
import { expect } from 'vitest'

export interface Asked {
  readonly method: string
  readonly url: string
  readonly payload?: string | Buffer
  readonly headers: Readonly<Record<string, string>>
}

/** As `inject` gives it. */
export interface Given {
  readonly statusCode: number
  readonly headers: Record<string, unknown>
  readonly body: string
  json(): unknown
}

/** What is asked. */
interface Listening {
  listen(at: { port: number }): Promise<string>
}

// biome-ignore lint/suspicious/noExplicitAny: calls are found by name
type Calls = any

const addresses = new WeakMap<Listening, Promise<string>>()

/** How many requests have gone through a client. */
export const sent = { number: 0 }

/** The answer, or undefined where the client has no call for such a request. */
export async function askByClient(app: Listening, asked: Asked): Promise<Given | undefined> {
  const call = callOf(asked)
  if (!call) return undefined
  if (!addresses.has(app)) addresses.set(app, app.listen({ port: 0 }))
  const baseUrl = (await addresses.get(app)) as string
  const answers: Response[] = []
  const fetched = async (url: string, request: RequestInit) => {
    const response = await fetch(url, request)
    answers.push(response.clone())
    return response
  }
  const version = /^\/v(\d+)\//.exec(asked.url)?.[1]
  const options = { baseUrl, fetch: fetched, retries: 0, ...(version && { version: Number(version) }) }
  const { 'content-type': _type, ...headers } = asked.headers
  // Node would ask for compressed answers, which have tags of their own.
  const given = { headers: { 'accept-encoding': 'identity', ...headers } }
  const result = await call(client<Calls>(options as Calls), given).catch((error: unknown) => error)
  const [answer, ...more] = answers
  if (!answer) throw result
  expect(more).toEqual([])
  sent.number++
  const body = await answer.text()
  if (answer.ok) expect(result).toEqual(JSON.parse(body))
  else expect(result instanceof ProblemError && result.problem).toEqual(JSON.parse(body))
  const json = () => JSON.parse(body)
  return { statusCode: answer.status, headers: Object.fromEntries(answer.headers), body, json }
}

/** How the client is called for a request. */
function callOf({
  method,
  url,
  payload,
  headers,
}: Asked): ((calls: Calls, call: object) => Promise<unknown>) | undefined {
  const [path = '', query, ...rest] = url.split('?')
  const segments = path
    .replace(/^\/v\d+(?=\/)/, '')
    .split('/')
    .slice(1)
  const isPlain = segments.every((segment) => /^[\w.~@-]+$/.test(segment)) && rest.length === 0
  const isJson = payload === undefined ? !('content-type' in headers) : headers['content-type'] === 'application/json'
  // The client keeps no answers that could be found unchanged.
  if ('if-none-match' in headers) return undefined
  if (!isPlain || !isJson || !isOffered(method, segments)) return undefined
  const body = payload === undefined ? undefined : parsed(`${payload}`)
  const isBodied = method === 'POST' || method === 'PATCH' || (method === 'PUT' && payload !== undefined)
  if (isBodied !== (body !== undefined)) return undefined
  const names = query === undefined ? {} : valuesOf(query)
  const isList = method === 'GET' && segments.length % 2 === 1 && !isLookup(segments)
  if (names === undefined || (query !== undefined && !isList)) return undefined
  return (calls, call) => {
    let at = calls
    for (let index = 0; ; index += 2) {
      const [name = '', id, further] = segments.slice(index, index + 3)
      const [, noun = name, variant] = /^(.*)-(summary|detail)$/.exec(name) ?? []
      at = at[camelCase(noun)]
      if (id === undefined)
        return method === 'GET' ? (variant ? at[variant] : at).list(names, call) : at.create(body, call)
      if (id.startsWith('by-')) return at.by[camelCase(id.slice(3))](decodeURIComponent(`${further}`), call)
      if (further === undefined) return one(at, method, id, body, call)
      at = at.of(id)
    }
  }
}

/** Whether the path is one of nouns and identities in turn, and the client has a call for the method there. */
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

function one(at: Calls, method: string, id: string, body: unknown, call: object): Promise<unknown> {
  if (method === 'PUT') return body === undefined ? at.link(id, call) : at.replace(id, body, call)
  if (method === 'PATCH') return at.update(id, body, call)
  return method === 'DELETE' ? at.delete(id, call) : at.read(id, call)
}

function parsed(text: string): unknown {
  try {
    const value = JSON.parse(text)
    // What is written in another way than JSON.stringify does would reach the service as something else.
    return JSON.stringify(value) === text ? value : undefined
  } catch {
    return undefined
  }
}

/** The values of each parameter; undefined where the query is written as the client would not. */
function valuesOf(query: string): Record<string, string[]> | undefined {
  const names: Record<string, string[]> = {}
  for (const [name, value] of new URLSearchParams(query)) names[name] = [...(names[name] ?? []), value]
  const written = new URLSearchParams(Object.entries(names).flatMap(([name, all]) => all.map((value) => [name, value])))
  const same = (text: string) => [...text.replaceAll('%20', '+')].sort().join('')
  return same(`${written}`) === same(query) ? names : undefined
}

function camelCase(kebab: string): string {
  return kebab.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
