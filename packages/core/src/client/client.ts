/** The typed client of an api. */

import type { AnyApi } from '../api/api.ts'
import { kebabCase } from '../naming/kebab-case.ts'
import type { Offer } from '../resource/resource.ts'
import type { Envelope } from '../wire/page.ts'
import type { Client } from './client-type.ts'
import { type Connection, connect, connectStreams, type OpenStream } from './connection.ts'
import type { AnyCallOptions, CallOptions, ChangeOptions, ClientOptions, CreateOptions, PastOptions } from './option.ts'

type Query = { readonly [name: string]: unknown }

/** Versions of resources and single operations that differ from the api's. */
type Versions = { readonly [names: string]: number | { readonly [Kind in Offer]?: number } }

/** The connection and the versions of a client. */
interface Context {
  readonly send: Connection
  readonly open: OpenStream
  readonly version: number | undefined
  readonly versions: Versions
}

/**
 * Creates a typed HTTP client for an api. It imports only the type of the declaration and uses `fetch`, with retries.
 * Calls reject with a ProblemError for an error response, and with a TypeError if the connection fails.
 *
 * @example
 * ```ts
 * import type { directory } from './directory.ts'
 *
 * const api = client<typeof directory>({ baseUrl: 'https://example.com' })
 * const { results } = await api.user.list({ lastName: 'Byron', pageSize: 50 })
 * const user = await api.user.read(7)
 * await api.user.update(7, { firstName: 'Ada' }, { etag: etagOf(user) })
 * ```
 *
 * @throws Error if `baseUrl` is not a string
 */
export function client<A extends AnyApi>(options: ClientOptions<A>): Client<A> {
  const { version, versions = {} } = options as { readonly version?: number; readonly versions?: Versions }
  // No prototype: a noun may have the name "constructor".
  const versionsByPath = Object.assign(Object.create(null), versions) as Versions
  return resourcesBelow(
    { send: connect(options), open: connectStreams(options), version, versions: versionsByPath },
    [],
    '',
  ) as Client<A>
}

/** A proxy that creates the resource for each property name. */
function resourcesBelow(context: Context, names: readonly string[], path: string): object {
  const resources = new Map<string, object>()
  return new Proxy(
    {},
    {
      get: (_, name) => {
        // `await` reads `then` to find out whether a value is a promise.
        if (typeof name !== 'string' || name === 'then') return undefined
        const segment = segmentOf(name)
        if (!resources.has(segment))
          resources.set(segment, resourceClient(context, [...names, segment], `${path}/${segment}`))
        return resources.get(segment)
      },
    },
  )
}

function resourceClient(context: Context, names: readonly string[], path: string): object {
  const { send, open } = context
  const pathFor = (offer: Offer, suffix = '') => `${versionPrefix(context, names, offer)}${path}${suffix}`
  const recordPath = (offer: Offer, id: unknown) => pathFor(offer, `/${encode(id)}`)
  const methods = {
    ...listMethods(send, open, pathFor('list')),
    summary: listMethods(send, open, pathFor('list', '-summary')),
    detail: listMethods(send, open, pathFor('list', '-detail')),
    read: (id: unknown, call?: PastOptions) =>
      send('GET', recordPath('read', id) + queryString({ at: call?.at }), call),
    by: new Proxy(
      {},
      {
        // JSON.stringify and await look for these methods and would call them.
        get: (_, name) =>
          typeof name !== 'string' || name === 'then' || name === 'toJSON'
            ? undefined
            : (value: unknown, call?: CallOptions) =>
                send('GET', pathFor('read', `/by-${kebabCase(name)}/${encode(value)}`), call),
      },
    ),
    create: (body: unknown, call?: CreateOptions) => send('POST', pathFor('create'), call, body),
    replace: (id: unknown, body: unknown, call?: ChangeOptions) => send('PUT', recordPath('replace', id), call, body),
    update: (id: unknown, body: unknown, call?: ChangeOptions) => send('PATCH', recordPath('update', id), call, body),
    // Without an ID, it is a custom operation at this path.
    delete: (...parameters: readonly unknown[]) =>
      parameters.length === 0 || parameters[0] instanceof Object
        ? send('DELETE', pathFor('delete'), parameters[0] as AnyCallOptions)
        : send('DELETE', recordPath('delete', parameters[0]), parameters[1] as AnyCallOptions),
    restore: (id: unknown, call?: CallOptions) => send('POST', pathFor('restore', `/${encode(id)}/restoration`), call),
    eraseHistory: (id: unknown, call?: CallOptions) => send('POST', pathFor('erase', `/${encode(id)}/erasure`), call),
    link: (id: unknown, call?: ChangeOptions) => send('PUT', recordPath('link', id), call),
    unlink: (id: unknown, call?: ChangeOptions) => send('DELETE', recordPath('link', id), call),
    of: (id: unknown) => resourcesBelow(context, names, `${path}/${encode(id)}`),
    get: (query?: Query, call?: CallOptions) => send('GET', pathFor('read', queryString(query ?? {})), call),
    post: (body?: unknown, call?: CallOptions) => send('POST', pathFor('create'), call, body),
    put: (body?: unknown, call?: CallOptions) => send('PUT', pathFor('replace'), call, body),
  }
  // Any other name is a custom operation.
  return Object.setPrototypeOf(methods, resourcesBelow(context, names, path))
}

function listMethods(send: Connection, open: OpenStream, path: string) {
  const list = (query: Query = {}, call?: CallOptions) => send('GET', path + queryString(query), call)
  async function* pages(query: Query = {}, call?: CallOptions) {
    for (let pageNumber = Number(query.pageNumber ?? 1); ; pageNumber++) {
      const page = (await list({ ...query, pageNumber }, call)) as Partial<Envelope<unknown>> | null
      if (!isPage(page))
        throw new Error(
          `The response of ${path} is not a page with pageInfo and results: ${JSON.stringify(page)?.slice(0, 80)}.`,
        )
      if (page.results.length > 0) yield page
      if (pageNumber >= page.pageInfo.numberOfPages) return
    }
  }
  async function* records(query?: Query, call?: CallOptions) {
    for await (const { results } of pages(query, call)) yield* results
  }
  async function* events(query: Query, call: CallOptions | undefined, end: AbortSignal): AsyncGenerator<unknown> {
    // Most pages do not follow changes.
    const { followEvents } = await import('./follow.ts')
    yield* followEvents(open, path + queryString(query), call, end)
  }
  const follow = (query: Query = {}, call?: CallOptions) => {
    const end = new AbortController()
    const changes = events(query, call, end.signal)
    const endGenerator = changes.return.bind(changes)
    // A generator would wait for the next change before it ends.
    changes.return = (value) => {
      end.abort()
      return endGenerator(value)
    }
    return changes
  }
  return { list, pages, records, follow }
}

/** Checks the envelope: without it, the loop over the pages of another service might not end. */
function isPage(page: Partial<Envelope<unknown>> | null): page is Envelope<unknown> {
  return Array.isArray(page?.results) && Number.isInteger(page.pageInfo?.numberOfPages)
}

/** Converts a property name back to its path segment: each capital was a letter after a hyphen. */
function segmentOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The path prefix: the version of the operation, of its nearest resource with a version, or of the api. */
function versionPrefix({ version, versions }: Context, names: readonly string[], offer: Offer): string {
  const pathVersion = versions[names.join('.')]
  let nearest = typeof pathVersion === 'object' ? pathVersion[offer] : pathVersion
  for (let length = names.length - 1; length > 0 && nearest === undefined; length--) {
    const ancestorVersion = versions[names.slice(0, length).join('.')]
    if (typeof ancestorVersion === 'number') nearest = ancestorVersion
  }
  nearest ??= version
  return nearest === undefined ? '' : `/v${nearest}`
}

function encode(value: unknown): string {
  return encodeURIComponent(String(value))
}

function queryString(query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat())
      if (value !== undefined) parameters.append(name, value === null ? '' : `${value}`)
  }
  const text = `${parameters}`
  return text && `?${text}`
}
