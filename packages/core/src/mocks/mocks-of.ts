/** Mocks of a declared api: its paths from the table of operations, its defaults from the kinds of its fields. */
import type { AnyApi, Api } from '../api.ts'
import type { FieldSpec } from '../field/field.ts'
import { operations } from '../operation.ts'
import type { AnyResource, DetailOf } from '../resource.ts'
import { completeShape, identityProperty, segmentOf } from '../shape.ts'
import { Collection } from './collection.ts'
import { type Mocks, mocks } from './mocks.ts'

type ResourceOf<A> = A extends Api<string, infer Options> ? Within<Options['resources'][number]> : never
type Within<R> = R | (R extends { options: { children: readonly (infer Child)[] } } ? Within<Child> : never)
type NameOf<R> = R extends { noun: { name: infer Name extends string } } ? Name : never

/** The records of each noun, as wide as any resource shows them. */
export type DataOf<A> = { readonly [R in ResourceOf<A> as NameOf<R>]: readonly DetailOf<R>[] }

/** Serves all lists and single records of an api from one data set a noun. `origin` stands before its paths. */
export function mocksOf<A extends AnyApi>(api: A, data: DataOf<A>, origin = '*'): Mocks {
  const sets = data as { readonly [noun: string]: readonly object[] }
  const sources = new Map<string, Collection<object>>()
  const served = operations(api).filter(({ kind }) => kind === 'list' || kind === 'read')
  for (const { resource } of served.flatMap(({ levels }) => levels)) {
    const { name } = resource.noun
    if (!sources.has(name)) sources.set(name, sourceOf(resource, sets[name] ?? []))
  }
  // Lists of one version and one form are mocks of their own, over the same collections.
  const groups = Map.groupBy(served, ({ version, resource }) => `${version}${resource.options.paginated !== false}`)
  const made = [...groups.values()].map((group) => {
    const version = group[0]?.version
    const collections: { [name: string]: Collection<object> } = {}
    for (const { levels, path, resource } of group) {
      for (const { resource: one } of levels)
        collections[segmentOf(one)] = sources.get(one.noun.name) as Collection<object>
      collections[namesOf(path).at(-1) as string] = sources.get(resource.noun.name) as Collection<object>
    }
    const paths = group.map(({ path }) => namesOf(path).join('/')).filter((path) => path.includes('/'))
    const nested = [...new Set(paths)] as `${string}/${string}`[]
    const form = group.some((one) => one.list?.isPaginated) ? 'envelope' : 'array'
    return mocks({ base: version === undefined ? origin : `${origin}/v${version}`, collections, nested, list: form })
  })
  return {
    handlers: made.flatMap(({ handlers }) => handlers),
    reset: () => {
      for (const one of sources.values()) one.reset()
    },
  }
}

/** The names in the template of a path, without its version. */
function namesOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && !/^v\d+$|^\{/.test(segment))
}

function sourceOf(resource: AnyResource, data: readonly object[]): Collection<object> {
  const identity = identityProperty(resource)
  if (identity.spec.guid) throw new Error(`Mocks find records by numbers, and "${resource.noun.name}" has guids.`)
  const defaults: { [name: string]: unknown } = {}
  for (const { name, spec } of completeShape(resource).properties) defaults[name] = defaultOf(spec)
  delete defaults[identity.name]
  return new Collection<{ ref: number }>({ ref: identity.name as 'ref', data: data as [], defaults })
}

/** What a created record holds of a kind: nothing that would have to be made up. */
function defaultOf({ kind, nullable, default: given, choices = [] }: FieldSpec): unknown {
  if (nullable) return null
  switch (kind) {
    case 'integer':
    case 'number':
    case 'reference':
      return 0
    case 'flag':
      return false
    case 'choice':
      return given ?? choices[0]
    default:
      return ''
  }
}
