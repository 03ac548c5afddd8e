/** MSW handlers that serve collections of mock records. */
import { type HttpHandler, HttpResponse, http } from 'msw'
import type { Collection } from './collection.ts'
import { type RequestPath, requestPathReader } from './request-path.ts'

// biome-ignore lint/suspicious/noExplicitAny: `unknown` would not accept every collection
type AnyCollection = Collection<any>

/** Mock collections by the name in their path. */
export interface Collections {
  readonly [name: string]: AnyCollection
}

type Name<Named> = keyof Named & string
type Property<Value> = Value extends Collection<infer Item> ? ArrayName<Item> & string : never
type ArrayName<Item> = { [K in keyof Item]-?: NonNullable<Item[K]> extends readonly unknown[] ? K : never }[keyof Item]

/** The path itself if all its segments are collections; otherwise an example for the compile error. */
type PathOf<Path, Names extends string> = IsPath<Path, Names> extends true ? Path : `${Names}/${Names}`
type IsPath<Path, Names extends string> = Path extends `${infer First}/${infer Rest}`
  ? First extends Names
    ? Rest extends Names
      ? true
      : IsPath<Rest, Names>
    : false
  : false

/** Options of `mocks`. */
export interface MocksOptions<Named extends Collections, Path extends string> {
  /** The prefix of every path, with `*` as a wildcard: `base: 'https://example.com/v1'`. */
  readonly base: string
  /** The collections by the name in their path. A collection may have several names. */
  readonly collections: Named
  /** The nested paths, such as `nested: ['application/user/role']`. */
  readonly nested?: readonly (Path extends unknown ? PathOf<Path, Name<Named>> : never)[]
  /** Nested paths that return an array of the parent's initial record: `attach: { 'user/preference': 'preferences' }`. */
  readonly attach?: { readonly [Parent in Name<Named> as `${Parent}/${Name<Named>}`]?: Property<Named[Parent]> }
  /**
   * The form of a list: with `pageInfo` and `results`, or a plain array.
   *
   * @default 'envelope'
   */
  readonly list?: 'envelope' | 'array'
}

/** MSW handlers and a function that restores their data. */
export interface Mocks {
  /** Handlers for `setupServer` or `setupWorker` of MSW. */
  readonly handlers: HttpHandler[]
  /** Restores the initial records of all collections. */
  reset(): void
}

/**
 * Creates MSW handlers (mocks) for collections of mock records: list, read, POST, PATCH and DELETE.
 *
 * @example
 * ```ts
 * import { setupServer } from 'msw/node'
 *
 * const book = collection({ ref: 'id', data: [{ id: 1, title: 'Dune' }], defaults: { title: '' } })
 * const { handlers, reset } = mocks({ base: 'https://example.com/v1', collections: { book } })
 * setupServer(...handlers).listen()
 * ```
 *
 * @throws Error if a nested path names an unknown collection
 */
export function mocks<const Named extends Collections, const Path extends string = never>(
  options: MocksOptions<Named, Path>,
): Mocks {
  const collections: Collections = options.collections
  const attach = (options.attach ?? {}) as { readonly [path: string]: string }
  const nested = new Set([...(options.nested ?? []), ...Object.keys(attach)])
  for (const path of nested) checkPath(path, collections)
  const pathOf = requestPathReader(options.base, Object.keys(collections))

  const mock = (
    method: keyof typeof http,
    matches: (path: RequestPath) => boolean,
    respond: (path: RequestPath, request: Request) => unknown,
  ) =>
    http[method](
      ({ request }) => {
        const path = pathOf(request.url)
        return path !== undefined && matches(path)
      },
      async ({ request }) => {
        const body = await respond(pathOf(request.url) as RequestPath, request)
        return body === undefined ? HttpResponse.json(null, { status: 404 }) : HttpResponse.json(body as object)
      },
    )
  const collectionAt = ({ names }: RequestPath) => collections[names.at(-1) ?? ''] as AnyCollection
  const isMocked = ({ names }: RequestPath) => names.length === 1 || nested.has(names.join('/'))
  const isNested = ({ names, refs }: RequestPath) => names.length + refs.length > 2

  const listResponse = (path: RequestPath) => {
    const { names, refs } = path
    const property = refs.length === 1 ? attach[names.join('/')] : undefined
    const parent = collections[names[0] as string] as AnyCollection
    const results = (property && parent.attached(Number(refs[0]), property)) || collectionAt(path).items
    return options.list === 'array' ? results : { pageInfo: onePage(results.length), results }
  }

  return {
    handlers: [
      // Nested paths do not change data. These handlers come first, before those of root paths.
      ...(['post', 'put', 'patch', 'delete'] as const).map((method) => mock(method, isNested, () => null)),
      mock('get', isMocked, (path) => (isItem(path) ? collectionAt(path).find(refOf(path)) : listResponse(path))),
      mock('post', isList, async (path, request) => collectionAt(path).add(await bodyOf(request))),
      mock('patch', isItem, async (path, request) => collectionAt(path).update(refOf(path), await bodyOf(request))),
      mock('delete', isItem, (path) => collectionAt(path).remove(refOf(path)) && null),
    ],
    reset: () => {
      for (const collection of Object.values(collections)) collection.reset()
    },
  }
}

/** All records on one page, with a page size of at least 10. An empty list has no pages. */
function onePage(size: number): object {
  return { pageSize: Math.max(10, size), pageNumber: 1, numberOfPages: Math.min(1, size), numberOfRecords: size }
}

async function bodyOf(request: Request): Promise<object> {
  return JSON.parse((await request.text()) || '{}')
}

/** Whether the path ends with the ID of a record. */
const isItem = ({ names, refs }: RequestPath) => names.length === refs.length

const isList = (path: RequestPath) => !isItem(path)

/** The ID; NaN, which no record has, if it is not a number. */
const refOf = ({ refs }: RequestPath) => Number(refs.at(-1))

function checkPath(path: string, collections: Collections): void {
  const missing = path.split('/').find((name) => !Object.hasOwn(collections, name))
  if (missing === undefined) return
  throw new Error(`Path "${path}": "${missing}" is not a collection. Use ${Object.keys(collections).join(', ')}.`)
}
