/** Mock handlers: what the collections answer to each kind of request. */
import { type HttpHandler, HttpResponse, http } from 'msw'
import type { Collection } from './collection.ts'
import { type Place, placeReader } from './place.ts'

// biome-ignore lint/suspicious/noExplicitAny: stands for every collection, whatever its records
type AnyCollection = Collection<any>

export interface Collections {
  readonly [name: string]: AnyCollection
}

type Name<Named> = keyof Named & string
type Property<Held> = Held extends Collection<infer Item> ? ArrayName<Item> & string : never
type ArrayName<Item> = { [K in keyof Item]-?: NonNullable<Item[K]> extends readonly unknown[] ? K : never }[keyof Item]

/** The path itself where it consists of names of collections; else what could stand there. */
type PathOf<Path, Names extends string> = IsPath<Path, Names> extends true ? Path : `${Names}/${Names}`
type IsPath<Path, Names extends string> = Path extends `${infer First}/${infer Rest}`
  ? First extends Names
    ? Rest extends Names
      ? true
      : IsPath<Rest, Names>
    : false
  : false

export interface MocksOptions<Named extends Collections, Path extends string> {
  /** What stands before every path, with `*` for whatever may stand there. */
  readonly base: string
  /** Each collection by the name in its path. One may stand under several names. */
  readonly collections: Named
  /** The paths below single records, such as `application/user/role`. */
  readonly nested?: readonly (Path extends unknown ? PathOf<Path, Name<Named>> : never)[]
  /** Paths whose records are those that each parent had at the start, in the property that is named. */
  readonly attach?: { readonly [Parent in Name<Named> as `${Parent}/${Name<Named>}`]?: Property<Named[Parent]> }
  /** The form of a list; `envelope` unless given. */
  readonly list?: 'envelope' | 'array'
}

export interface Mocks {
  /** For `setupServer` or `setupWorker`. */
  readonly handlers: HttpHandler[]
  /** Takes all collections back to the data of the start. */
  reset(): void
}

export function mocks<const Named extends Collections, const Path extends string = never>(
  options: MocksOptions<Named, Path>,
): Mocks {
  const collections: Collections = options.collections
  const attach = (options.attach ?? {}) as { readonly [path: string]: string }
  const nested = new Set([...(options.nested ?? []), ...Object.keys(attach)])
  for (const path of nested) checkPath(path, collections)
  const placeOf = placeReader(options.base, Object.keys(collections))

  const on = (
    method: keyof typeof http,
    fits: (place: Place) => boolean,
    answer: (place: Place, request: Request) => unknown,
  ) =>
    http[method](
      ({ request }) => {
        const place = placeOf(request.url)
        return place !== undefined && fits(place)
      },
      async ({ request }) => {
        const found = await answer(placeOf(request.url) as Place, request)
        return found === undefined ? HttpResponse.json(null, { status: 404 }) : HttpResponse.json(found as object)
      },
    )
  const shared = ({ names }: Place) => collections[names.at(-1) ?? ''] as AnyCollection
  const isServed = ({ names }: Place) => names.length === 1 || nested.has(names.join('/'))
  const isDeep = ({ names, refs }: Place) => names.length + refs.length > 2

  const listed = (place: Place) => {
    const { names, refs } = place
    const property = refs.length === 1 ? attach[names.join('/')] : undefined
    const parent = collections[names[0] as string] as AnyCollection
    const results = (property && parent.attached(Number(refs[0]), property)) || shared(place).items
    const { length: numberOfRecords } = results
    // One page, whose size is a service's usual one at least; of nothing there are no pages.
    const [pageSize, numberOfPages] = [Math.max(10, numberOfRecords), Math.min(1, numberOfRecords)]
    const pageInfo = { pageSize, pageNumber: 1, numberOfPages, numberOfRecords }
    return options.list === 'array' ? results : { pageInfo, results }
  }

  return {
    handlers: [
      // Below a single record nothing changes: these stand first, so that nothing at the root takes their requests.
      ...(['post', 'put', 'patch', 'delete'] as const).map((method) => on(method, isDeep, () => null)),
      on('get', isServed, (place) => (isItem(place) ? shared(place).find(refOf(place)) : listed(place))),
      on('post', isList, async (place, request) => shared(place).add(await bodyOf(request))),
      on('patch', isItem, async (place, request) => shared(place).update(refOf(place), await bodyOf(request))),
      on('delete', isItem, (place) => shared(place).remove(refOf(place)) && null),
    ],
    reset: () => {
      for (const one of Object.values(collections)) one.reset()
    },
  }
}

async function bodyOf(request: Request): Promise<object> {
  const text = await request.text()
  return text === '' ? {} : JSON.parse(text)
}

/** Whether the path ends in the ref of a record. */
const isItem = ({ names, refs }: Place) => names.length === refs.length

const isList = (place: Place) => !isItem(place)

/** What is no number is no ref of any record. */
const refOf = ({ refs }: Place) => Number(refs.at(-1))

function checkPath(path: string, collections: Collections): void {
  const missing = path.split('/').find((name) => !Object.hasOwn(collections, name))
  if (missing === undefined) return
  throw new Error(
    `The path "${path}" names "${missing}", which is no collection. Use ${Object.keys(collections).join(', ')}.`,
  )
}
