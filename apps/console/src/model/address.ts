/** The address of a view: after the hash stands the path of the api itself, so that a link says what is asked for. */
import { type Collection, rootsOf, type Service, type Variant } from './service/service.ts'

export type Place =
  /** There is no list at all. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'usage' }
  /** What the service can do that stands at no list. */
  | { readonly kind: 'operations' }
  | { readonly kind: 'unknown'; readonly path: string }
  | {
      readonly kind: 'list'
      readonly collection: Collection
      readonly variant: Variant
      readonly ids: readonly string[]
    }
  | { readonly kind: 'record'; readonly collection: Collection; readonly ids: readonly string[] }
  | { readonly kind: 'create'; readonly collection: Collection; readonly ids: readonly string[] }

export const usagePath = '/~usage'
export const operationsPath = '/~operations'

/** What a path leads to. A segment that is given beats one that may be anything. */
export function placeOf(service: Service, path: string): Place {
  if (path === '' || path === '/') return firstPlace(service)
  if (path === usagePath) return { kind: 'usage' }
  if (path === operationsPath) return { kind: 'operations' }
  let best: { readonly fixed: number; readonly place: Place } | undefined
  const consider = (template: string, make: (ids: readonly string[]) => Place) => {
    const ids = idsIn(template, path)
    const fixed = template.split('/').filter((segment) => !segment.startsWith('{')).length
    if (ids && (!best || fixed > best.fixed)) best = { fixed, place: make(ids) }
  }
  for (const collection of service.collections) {
    for (const variant of collection.variants)
      consider(variant.path, (ids) => ({ kind: 'list', collection, variant, ids }))
    consider(`${collection.path}/~new`, (ids) => ({ kind: 'create', collection, ids }))
    consider(`${collection.path}/{}`, (ids) => ({ kind: 'record', collection, ids }))
  }
  return best?.place ?? { kind: 'unknown', path }
}

/** The first noun is a better beginning than an empty page. */
function firstPlace({ apis }: Service): Place {
  const collection = apis.flatMap(rootsOf)[0]
  const variant = collection?.variants[0]
  if (variant) return { kind: 'list', collection, variant, ids: [] }
  return { kind: apis.some(({ actions }) => actions.length > 0) ? 'operations' : 'empty' }
}

/** The values of a template's parameters in a path; undefined where it does not fit. */
export function idsIn(template: string, path: string): readonly string[] | undefined {
  const wanted = template.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const ids: string[] = []
  for (const [index, segment] of wanted.entries()) {
    const text = given[index] as string
    if (segment.startsWith('{')) {
      if (text === '') return undefined
      ids.push(decoded(text))
    } else if (segment !== text) return undefined
  }
  return ids
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A template with its parameters filled in, from left to right. */
export function fill(template: string, ids: readonly unknown[]): string {
  let index = 0
  return template.replace(/\{[^}]*\}/g, () => encodeId(ids[index++]))
}

/** `~new` is no identity: a tilde of one is always encoded. */
function encodeId(id: unknown): string {
  return encodeURIComponent(String(id)).replaceAll('~', '%7E')
}

export function recordPath({ path }: Collection, ids: readonly unknown[]): string {
  // A path with a slash at its end has one after the identity too.
  return fill(path.endsWith('/') ? `${path}{}/` : `${path}/{}`, ids)
}

/** Where a new record begins with the values of this one. */
export function copyPath({ path }: Collection, ids: readonly unknown[]): string {
  return `${fill(path, ids.slice(0, -1))}/~new?${new URLSearchParams({ from: `${ids.at(-1)}` })}`
}

export interface Step {
  readonly collection: Collection
  /** The list, with the identities of the records above it. */
  readonly listPath: string
  /** The identities down to the record of this step; undefined where the list itself is shown. */
  readonly ids: readonly string[] | undefined
}

/** The way to a place, from the root. */
export function stepsTo(place: Place): readonly Step[] {
  if (!('collection' in place)) return []
  const steps: Step[] = []
  let ids: readonly string[] = place.ids
  let isRecord = place.kind === 'record'
  for (let at: Collection | undefined = place.collection; at; at = at.parent) {
    const above: readonly string[] = isRecord ? ids.slice(0, -1) : ids
    steps.unshift({ collection: at, listPath: fill(at.path, above), ids: isRecord ? ids : undefined })
    ids = above
    isRecord = true
  }
  return steps
}
