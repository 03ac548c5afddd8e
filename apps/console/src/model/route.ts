/** The URL of a view: the path of the API after the hash. */
import type { Collection, Service, Variant } from './service/service.ts'

export type Route =
  | { readonly kind: 'overview' }
  | { readonly kind: 'usage' }
  | { readonly kind: 'schema' }
  /** Operations that do not belong to a list. */
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

export const homePath = '/'
export const usagePath = '/~usage'
export const schemaPath = '/~schema'
export const operationsPath = '/~operations'

/** The view of a path. A fixed segment takes precedence over a parameter. */
export function routeOf(service: Service, path: string): Route {
  if (path === '' || path === homePath) return { kind: 'overview' }
  if (path === usagePath) return { kind: 'usage' }
  if (path === schemaPath) return { kind: 'schema' }
  if (path === operationsPath) return { kind: 'operations' }
  let best: { readonly fixedSegments: number; readonly route: Route } | undefined
  const consider = (template: string, routeWith: (ids: readonly string[]) => Route) => {
    const ids = idsIn(template, path)
    const fixedSegments = template.split('/').filter((segment) => !segment.startsWith('{')).length
    if (ids && (!best || fixedSegments > best.fixedSegments)) best = { fixedSegments, route: routeWith(ids) }
  }
  for (const collection of service.collections) {
    for (const variant of collection.variants)
      consider(variant.path, (ids) => ({ kind: 'list', collection, variant, ids }))
    consider(`${collection.path}/~new`, (ids) => ({ kind: 'create', collection, ids }))
    consider(`${collection.path}/{}`, (ids) => ({ kind: 'record', collection, ids }))
  }
  return best?.route ?? { kind: 'unknown', path }
}

/** The values of a template's parameters in a path; undefined if the path does not match. */
export function idsIn(template: string, path: string): readonly string[] | undefined {
  const templateSegments = template.split('/')
  const segments = path.split('/')
  if (templateSegments.length !== segments.length) return undefined
  const ids: string[] = []
  for (const [index, segment] of templateSegments.entries()) {
    const text = segments[index] as string
    if (segment.startsWith('{')) {
      if (text === '') return undefined
      ids.push(decodeSegment(text))
    } else if (segment !== text) return undefined
  }
  return ids
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A template with its parameters filled in, from left to right. Those without a value keep their name. */
export function fill(template: string, ids: readonly unknown[]): string {
  let index = 0
  return template.replace(/\{[^}]*\}/g, (name) => (index < ids.length ? encodeId(ids[index++]) : name))
}

/** A tilde in an ID is encoded, so that `~new` is never an ID. */
function encodeId(id: unknown): string {
  return encodeURIComponent(String(id)).replaceAll('~', '%7E')
}

export function recordPath({ path }: Collection, ids: readonly unknown[]): string {
  // A path with a trailing slash has one after the ID too.
  return fill(path.endsWith('/') ? `${path}{}/` : `${path}/{}`, ids)
}

/** The view that creates a copy of this record. */
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

/** The steps from the root to a view. */
export function stepsTo(route: Route): readonly Step[] {
  if (!('collection' in route)) return []
  const steps: Step[] = []
  let ids: readonly string[] = route.ids
  let isRecord = route.kind === 'record'
  for (let step: Collection | undefined = route.collection; step; step = step.parent) {
    const parentIds: readonly string[] = isRecord ? ids.slice(0, -1) : ids
    steps.unshift({ collection: step, listPath: fill(step.path, parentIds), ids: isRecord ? ids : undefined })
    ids = parentIds
    isRecord = true
  }
  return steps
}
