/** The client of an api: calls that follow the conventions, typed by the declaration alone. */

import type { AnyApi } from '../api/api.ts'
import { kebabCase } from '../naming/kebab-case.ts'
import type { Envelope } from '../wire/page.ts'
import type { AnyCallOptions, CallOptions, ChangeOptions, ClientOptions, CreateOptions } from './client-option.ts'
import type { Client } from './client-type.ts'
import { type Connection, connect } from './connection.ts'

type Query = { readonly [name: string]: unknown }
type Offer = 'list' | 'read' | 'create' | 'replace' | 'update' | 'delete' | 'link'

/** The versions that are not the api's: of a resource by its names, or of single operations. */
type Versions = { readonly [names: string]: number | { readonly [Kind in Offer]?: number } }

/** One client: how it sends, and which versions it calls. */
interface Context {
  readonly send: Connection
  readonly version: number | undefined
  readonly versions: Versions
}

/**
 * Makes the client of an api, of whose declaration it needs the type only.
 *
 * ```ts
 * import type { directory } from './directory.ts'
 *
 * const api = client<typeof directory>({ baseUrl: 'https://example.com' })
 * const { results } = await api.user.list({ status: 'ACTIVE', pageSize: 50 })
 * ```
 */
export function client<A extends AnyApi>(options: ClientOptions<A>): Client<A> {
  const { version, versions = {} } = options as { readonly version?: number; readonly versions?: Versions }
  // A noun may be called "constructor", which every other object has.
  const own = Object.assign(Object.create(null), versions) as Versions
  return below({ send: connect(options), version, versions: own }, [], '') as Client<A>
}

/** Whatever name is asked for, as a resource at that place. */
function below(context: Context, names: readonly string[], path: string): object {
  const known = new Map<string, object>()
  return new Proxy(
    {},
    {
      get: (_, name) => {
        // A client that is returned from an async function is asked whether it is a promise.
        if (typeof name !== 'string' || name === 'then') return undefined
        const segment = segmentOf(name)
        if (!known.has(segment)) known.set(segment, resource(context, [...names, segment], `${path}/${segment}`))
        return known.get(segment)
      },
    },
  )
}

function resource(context: Context, names: readonly string[], path: string): object {
  const { send } = context
  const at = (offer: Offer, end = '') => `${prefix(context, names, offer)}${path}${end}`
  const one = (offer: Offer, id: unknown) => at(offer, `/${encode(id)}`)
  const own = {
    ...lists(send, at('list')),
    summary: lists(send, at('list', '-summary')),
    detail: lists(send, at('list', '-detail')),
    read: (id: unknown, call?: CallOptions) => send('GET', one('read', id), call),
    by: new Proxy(
      {},
      {
        // JSON.stringify and await ask for a function of theirs, and would call whatever there is.
        get: (_, name) =>
          typeof name !== 'string' || name === 'then' || name === 'toJSON'
            ? undefined
            : (value: unknown, call?: CallOptions) =>
                send('GET', at('read', `/by-${kebabCase(name)}/${encode(value)}`), call),
      },
    ),
    create: (body: unknown, call?: CreateOptions) => send('POST', at('create'), call, body),
    replace: (id: unknown, body: unknown, call?: ChangeOptions) => send('PUT', one('replace', id), call, body),
    update: (id: unknown, body: unknown, call?: ChangeOptions) => send('PATCH', one('update', id), call, body),
    // Without an id it is an operation that stands at this path.
    delete: (...given: readonly unknown[]) =>
      given.length === 0 || given[0] instanceof Object
        ? send('DELETE', at('delete'), given[0] as AnyCallOptions)
        : send('DELETE', one('delete', given[0]), given[1] as AnyCallOptions),
    link: (id: unknown, call?: ChangeOptions) => send('PUT', one('link', id), call),
    unlink: (id: unknown, call?: ChangeOptions) => send('DELETE', one('link', id), call),
    of: (id: unknown) => below(context, names, `${path}/${encode(id)}`),
    get: (query?: Query, call?: CallOptions) => send('GET', at('read', queryString(query ?? {})), call),
    post: (body?: unknown, call?: CallOptions) => send('POST', at('create'), call, body),
    put: (body?: unknown, call?: CallOptions) => send('PUT', at('replace'), call, body),
  }
  // Any other name is that of an operation of the service's own.
  return Object.setPrototypeOf(own, below(context, names, path))
}

function lists(send: Connection, path: string) {
  const list = (query: Query = {}, call?: CallOptions) => send('GET', path + queryString(query), call)
  async function* pages(query: Query = {}, call?: CallOptions) {
    for (let pageNumber = Number(query.pageNumber ?? 1); ; pageNumber++) {
      const page = (await list({ ...query, pageNumber }, call)) as Partial<Envelope<unknown>> | null
      if (!isPage(page))
        throw new Error(
          `${path} answered no page with pageInfo and results, but ${JSON.stringify(page)?.slice(0, 80)}.`,
        )
      if (page.results.length > 0) yield page
      if (pageNumber >= page.pageInfo.numberOfPages) return
    }
  }
  async function* records(query?: Query, call?: CallOptions) {
    for await (const { results } of pages(query, call)) yield* results
  }
  return { list, pages, records }
}

/** A list of another service might have no pages, or no end. */
function isPage(page: Partial<Envelope<unknown>> | null): page is Envelope<unknown> {
  return Array.isArray(page?.results) && Number.isInteger(page.pageInfo?.numberOfPages)
}

/** The way back from `Camel`, for every name: each capital was a letter after a hyphen. */
function segmentOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The operation's own version, else the nearest one above it, else the api's. */
function prefix({ version, versions }: Context, names: readonly string[], offer: Offer): string {
  const own = versions[names.join('.')]
  let found = typeof own === 'object' ? own[offer] : own
  for (let length = names.length - 1; length > 0 && found === undefined; length--) {
    const above = versions[names.slice(0, length).join('.')]
    if (typeof above === 'number') found = above
  }
  found ??= version
  return found === undefined ? '' : `/v${found}`
}

function encode(value: unknown): string {
  return encodeURIComponent(String(value))
}

function queryString(query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, given] of Object.entries(query)) {
    for (const value of [given].flat())
      if (value !== undefined) parameters.append(name, value === null ? '' : `${value}`)
  }
  const text = `${parameters}`
  return text && `?${text}`
}
