/** Mocks of a declared api: its paths from the table of operations, its defaults from the kinds of its fields. */
import type { AnyApi, Api } from '../api/api.ts'
import type { FieldSpec } from '../field/field.ts'
import type { IdentityOf } from '../noun/noun.ts'
import { type Operation, operations } from '../operation/operation.ts'
import type { AnyResource, DetailOf } from '../resource/resource.ts'
import { completeShape, identityProperty, segmentOf } from '../resource/shape.ts'
import { Collection } from './collection.ts'
import { type Mocks, mocks } from './mocks.ts'

type ResourceOf<A> = A extends Api<string, infer Options> ? Within<Options['resources'][number]> : never
type Within<R> = R | (R extends { options: { children: readonly (infer Child)[] } } ? Within<Child> : never)
type NameOf<R> = R extends { noun: infer N extends { name: string } } ? Numbered<N, N['name']> : never
type Numbered<N, Name> = IdentityOf<N> extends number ? Name : never
type Taking<R, Name> = R extends { noun: { name: Name } } ? (whole: DetailOf<R>) => void : never
type Widest<R, Name> = Taking<R, Name> extends (whole: infer Whole) => void ? { [K in keyof Whole]: Whole[K] } : never

/** The records of each noun that has numbers for refs, with all that any resource shows of them. */
export type DataOf<A> = { readonly [Name in NameOf<ResourceOf<A>>]: readonly Widest<ResourceOf<A>, Name>[] }

export interface MocksOf<A> extends Mocks {
  /** What all mocks of a noun read and change, for handlers beyond the rules. */
  readonly collections: { readonly [Name in keyof DataOf<A>]: Collection<DataOf<A>[Name][number]> }
}

/**
 * Serves all lists and single records of an api from one data set a noun. `origin` stands before its paths. What an
 * operation of the service's own does nobody can tell from its declaration: its mock is written by hand.
 */
export function mocksOf<A extends AnyApi>(api: A, data: DataOf<A>, origin = '*'): MocksOf<A> {
  const sets = data as { readonly [noun: string]: readonly object[] }
  // Pages come first: arrays stand below a parent only, and their mocks would answer for its root as well.
  const served = operations(api)
    .filter(({ kind, levels }) => kind !== 'lookup' && kind !== 'custom' && levels.every(hasNumbers))
    .sort((one, other) => Number(isPlain(one)) - Number(isPlain(other)))
  const sources = new Map<string, Collection<object>>()
  const shown = operations(api).flatMap(({ levels }) => levels.filter(hasNumbers).map(({ resource }) => resource))
  for (const [name, all] of Map.groupBy(shown, ({ noun }) => noun.name as string))
    sources.set(name, sourceOf(all as [AnyResource], sets[name] ?? []))
  // Lists of one version and one form are mocks of their own, over the same collections.
  const groups = Map.groupBy(served, (one) => `${one.version} ${isPlain(one)}`)
  const made = [...groups.values()].map((group) => {
    const version = group[0]?.version
    const collections: { [name: string]: Collection<object> } = {}
    for (const { levels, path, resource } of group) {
      for (const { resource: one } of levels)
        collections[segmentOf(one)] = sources.get(one.noun.name) as Collection<object>
      collections[namesOf(path).at(-1) as string] = sources.get(resource.noun.name) as Collection<object>
    }
    const below = group.filter(({ method, levels }) => method === 'GET' && levels.length > 1)
    const nested = below.map(({ path }) => namesOf(path).join('/') as `${string}/${string}`)
    const form = group.some(isPlain) ? 'array' : 'envelope'
    return mocks({ base: version === undefined ? origin : `${origin}/v${version}`, collections, nested, list: form })
  })
  return {
    handlers: made.flatMap(({ handlers }) => handlers),
    collections: Object.fromEntries(sources) as MocksOf<A>['collections'],
    reset: () => {
      for (const one of sources.values()) one.reset()
    },
  }
}

const isPlain = ({ resource }: Operation) => resource.options.paginated === false

/** Mocks find records by numbers, and know of no guids. */
const hasNumbers = ({ resource }: Operation['levels'][number]) => !identityProperty(resource).spec.guid

/** The names in the template of a path, without its version. */
function namesOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && !/^v\d+$|^\{/.test(segment))
}

/** One collection of all that the resources of a noun show. */
function sourceOf(all: readonly [AnyResource, ...AnyResource[]], data: readonly object[]): Collection<object> {
  const identity = identityProperty(all[0])
  const defaults: { [name: string]: unknown } = {}
  for (const { name, spec } of all.flatMap((one) => completeShape(one).properties)) defaults[name] = defaultOf(spec)
  delete defaults[identity.name]
  return new Collection<{ ref: number }>({ ref: identity.name as 'ref', data: data as [], defaults })
}

/** What a created record holds of a kind: nothing that would have to be made up. */
function defaultOf({ kind, nullable, default: given, choices = [] }: FieldSpec): unknown {
  if (nullable) return null
  if (kind === 'integer' || kind === 'number' || kind === 'reference') return 0
  if (kind === 'boolean') return false
  return kind === 'choice' ? (given ?? choices[0]) : ''
}
