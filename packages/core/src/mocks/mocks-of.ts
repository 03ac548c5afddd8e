/** Mocks of a declared api: paths from the operation table, defaults from the field types. */
import type { AnyApi, Api } from '../api/api.ts'
import type { FieldSpec } from '../field/field.ts'
import type { IdentityOf } from '../noun/record-type.ts'
import type { Operation } from '../operation/operation.ts'
import { operations } from '../operation/table.ts'
import type { DetailOf } from '../resource/record-type.ts'
import type { AnyResource } from '../resource/resource.ts'
import { completeShape, identityProperty, segmentOf } from '../resource/shape.ts'
import { Collection } from './collection.ts'
import { type Mocks, mocks } from './mocks.ts'

type ResourceOf<A> = A extends Api<string, infer Options> ? WithChildren<Options['resources'][number]> : never
type WithChildren<R> = R | (R extends { options: { children: readonly (infer Child)[] } } ? WithChildren<Child> : never)
type NameOf<R> = R extends { noun: infer N extends { name: string } } ? Numbered<N, N['name']> : never
type Numbered<N, Name> = IdentityOf<N> extends number ? Name : never

/** A record with the properties of all resources of a noun. The intersection is inferred from function parameters. */
type FullRecord<R, Name> =
  Consumer<R, Name> extends (record: infer Full) => void ? { [K in keyof Full]: Full[K] } : never
type Consumer<R, Name> = R extends { noun: { name: Name } } ? (record: DetailOf<R>) => void : never

type AllOf<A> = { readonly [Name in NameOf<ResourceOf<A>>]: readonly FullRecord<ResourceOf<A>, Name>[] }

type AllDataOf<A> = { readonly [Name in keyof AllOf<A>]: readonly WithoutNulls<AllOf<A>[Name][number]>[] }

/** A record in which nullable properties are optional. */
type WithoutNulls<Full> = Partial<Full> & { [K in keyof Full as null extends Full[K] ? never : K]: Full[K] }

/**
 * The mock data of an api: records by noun, with all properties that any resource shows. Nullable properties are null by default.
 * Nouns with a GUID are not mocked. Changes, webhooks and deliveries are empty by default.
 */
export type DataOf<A> = Omit<AllDataOf<A>, 'change' | 'webhook' | 'delivery'> & Partial<AllDataOf<A>>

/** The MSW handlers of an api, and its collections. */
export interface MocksOf<A> extends Mocks {
  /** The collection of each noun, for your own handlers. */
  readonly collections: { readonly [Name in keyof AllOf<A>]: Collection<AllOf<A>[Name][number]> }
}

/**
 * Creates MSW handlers (mocks) for all lists and single records of an api, with one data set per noun. `origin` is the
 * prefix of the paths. Custom operations need your own handlers.
 *
 * @example
 * ```ts
 * import { setupServer } from 'msw/node'
 *
 * const shop = api('shop', {
 *   versioning: 'per-noun',
 *   writes: 'flat',
 *   resources: [resource(noun('book', { id: identity(), title: text() }))],
 * })
 * const { handlers, reset } = mocksOf(shop, { book: [{ id: 1, title: 'Dune' }] }, 'https://example.com')
 * setupServer(...handlers).listen()
 * reset() // restores the data, such as before each test
 * ```
 */
export function mocksOf<A extends AnyApi>(api: A, data: DataOf<A>, origin = '*'): MocksOf<A> {
  // Paginated lists first: the handlers of plain arrays, which are below a parent, would also match its root.
  const mockedOperations = operations(api)
    .filter(({ kind, levels }) => !unmockedKinds.includes(kind) && levels.every(hasIntegerId))
    .sort((a, b) => Number(isPlainArray(a)) - Number(isPlainArray(b)))
  const collectionsByNoun = new Map<string, Collection<object>>()
  const resources = operations(api).flatMap(({ levels }) => levels.filter(hasIntegerId).map(({ resource }) => resource))
  for (const [name, ofNoun] of Map.groupBy(resources, ({ noun }) => noun.name as string))
    collectionsByNoun.set(name, collectionOf(ofNoun as [AnyResource], data[name as keyof typeof data] ?? []))
  // One set of mocks for each version and list form, over the same collections.
  const groups = Map.groupBy(mockedOperations, (operation) => `${operation.version} ${isPlainArray(operation)}`)
  const allMocks = [...groups.values()].map((group) => {
    const collections: { [name: string]: Collection<object> } = {}
    for (const { levels, path, resource } of group) {
      for (const { resource: ancestor } of levels)
        collections[segmentOf(ancestor)] = collectionsByNoun.get(ancestor.noun.name) as Collection<object>
      collections[namesOf(path).at(-1) as string] = collectionsByNoun.get(resource.noun.name) as Collection<object>
    }
    const nestedReads = group.filter(({ method, levels }) => method === 'GET' && levels.length > 1)
    const nested = nestedReads.map(({ path }) => namesOf(path).join('/') as `${string}/${string}`)
    const base = group[0]?.version === undefined ? origin : `${origin}/v${group[0].version}`
    return mocks({ base, collections, nested, list: group.some(isPlainArray) ? 'array' : 'envelope' })
  })
  return {
    handlers: allMocks.flatMap(({ handlers }) => handlers),
    collections: Object.fromEntries(collectionsByNoun) as MocksOf<A>['collections'],
    reset: () => [...collectionsByNoun.values()].map((collection) => collection.reset()),
  }
}

/** Operations that mocks leave out. */
const unmockedKinds: readonly string[] = ['lookup', 'restore', 'erase', 'custom']

const isPlainArray = ({ resource }: Operation) => resource.options.paginated === false

/** Mocks support integer IDs only. */
const hasIntegerId = ({ resource }: Operation['levels'][number]) => !identityProperty(resource).spec.guid

/** The path segments of a template that are names, without the version. */
function namesOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && !/^v\d+$|^\{/.test(segment))
}

/** One collection with all properties that the resources of a noun show. */
function collectionOf(ofNoun: readonly [AnyResource, ...AnyResource[]], data: readonly object[]): Collection<object> {
  const identity = identityProperty(ofNoun[0])
  const properties = ofNoun.flatMap((resource) => completeShape(resource).properties)
  const defaults = Object.fromEntries(properties.map(({ name, spec }) => [name, defaultOf(spec)]))
  const nulls = Object.fromEntries(properties.filter(({ spec }) => spec.nullable).map(({ name }) => [name, null]))
  const records = data.map((record) => ({ ...nulls, ...record }))
  return new Collection<{ ref: number }>({ ref: identity.name as 'ref', data: records as never, defaults })
}

/** The default of a property in a new record, by field type. */
function defaultOf({ kind, nullable, default: value, choices = [] }: FieldSpec): unknown {
  if (nullable) return null
  if (kind === 'integer' || kind === 'number' || kind === 'reference') return 0
  if (kind === 'boolean') return false
  return kind === 'choice' ? (value ?? choices[0]) : ''
}
