/** The OAuth scopes that operations require. */

import { hasDefault } from '../field/field.ts'
import { change } from '../noun/change.ts'
import { specOf } from '../noun/noun.ts'
import { webhook } from '../noun/webhook.ts'
import type { AnyResource, ResourceOptions } from '../resource/resource.ts'
import { offerOf } from './kind.ts'
import type { Operation } from './operation.ts'

/**
 * Returns the OAuth scopes that an operation requires, separated by spaces: `user:read`, `user:write user:read`.
 *
 * - The noun is that of the last resource in the path.
 * - A write also requires the scope to read the record, because it returns it. A custom operation that writes does not.
 * - A link belongs to the parent: `PUT /role/{roleRef}/action/{actionRef}` requires `role:write action:read`.
 * - The changes of a record also require the scope to read the record: `GET /user/{userRef}/change` requires `change:read user:read`.
 * - The erasure of a history requires `user:erase` only.
 * - A write of a webhook also requires the scope to read changes, because the webhook sends them. A delete does not.
 * - `scope` of a custom operation and `scopes` of a resource override these.
 * - The scope of a field is added if the operation needs the field: a lookup by it, a path over it, a POST that requires it,
 *   or a custom operation that takes or returns it.
 *
 * @example
 * ```ts
 * operations(directory).map(scopeOf) // ['user:read', 'user:read', …, 'user:write user:read']
 * ```
 */
export function scopeOf(operation: Operation): string {
  const base = [
    ...baseScopes(operation),
    ...recordedScopes(operation),
    ...(sendsChanges(operation) ? ['change:read'] : []),
  ]
  const needed = neededFieldScopes(operation).filter((scope) => !base.includes(scope))
  return [...base, ...new Set(needed)].join(' ')
}

function sendsChanges({ kind, method, resource }: Operation): boolean {
  return resource.noun === webhook && method !== 'GET' && kind !== 'delete'
}

/** The scopes of fields that the operation cannot work without, or whose values it would reveal. */
function neededFieldScopes({ kind, lookup, body, levels, custom }: Operation): readonly string[] {
  const requiredProperties = kind === 'create' ? (body?.properties.filter(({ spec }) => !hasDefault(spec)) ?? []) : []
  const customProperties = custom ? [...(body?.properties ?? []), ...custom.query, ...(custom.response ?? [])] : []
  const steps = levels.flatMap(({ relations }) => relations.flatMap((relation) => relation.steps))
  const references = steps.flatMap((step) => (step.kind === 'reference' ? specOf(step.from, step.field) : []))
  const specs = [
    ...(lookup ? [lookup.spec] : []),
    ...[...requiredProperties, ...customProperties].map(({ spec }) => spec),
    ...references,
  ]
  return specs.flatMap(({ scope }) => scope ?? [])
}

/**
 * Returns the OAuth scope that allows reading the records of an operation. Undefined for an operation that returns something else.
 *
 * @example
 * ```ts
 * operations(directory).map(readScopeOf) // ['user:read', 'user:read', …]
 * ```
 */
export function readScopeOf(operation: Operation): string | undefined {
  const { kind, method, custom } = operation
  // A custom operation with its own scope returns another shape, not the record.
  const returnsOtherShape = custom && (method !== 'GET' || custom.declaration.options.scope !== undefined)
  if (kind === 'erase' || returnsOtherShape) return undefined
  return baseScopes(operation).at(-1)
}

function baseScopes({ kind, method, resource, link, levels, custom }: Operation): readonly string[] {
  const { scopes = {} } = resource.options as ResourceOptions
  const read = resourceReadScope(resource)
  if (custom) {
    const verb = method === 'GET' ? 'read' : 'write'
    return [custom.declaration.options.scope ?? `${resource.noun.name}:${verb}`]
  }
  if (method === 'GET') return [(kind === 'list' && scopes.list) || read]
  // A separate scope: those who may write records need not be allowed to erase what happened.
  if (kind === 'erase') return [scopes.erase ?? `${resource.noun.name}:erase`]
  const parent = link ? levels.at(-2) : undefined
  const offer = offerOf(kind)
  const write = (offer && scopes[offer]) ?? `${(parent?.resource ?? resource).noun.name}:write`
  return write === read ? [read] : [write, read]
}

function resourceReadScope({ noun, options }: AnyResource): string {
  return (options as ResourceOptions).scopes?.read ?? `${noun.name}:read`
}

/** The scope of the resource whose changes the operation lists, if its path names one. */
function recordedScopes({ resource, levels, changesOf }: Operation): readonly string[] {
  const recordedResource = changesOf ?? levels.at(-2)?.resource
  return resource.noun === change && recordedResource ? [resourceReadScope(recordedResource)] : []
}

/**
 * Returns whether the OAuth scopes of a caller cover all scopes that an operation requires. `*:read` and `*:write` cover
 * every noun.
 *
 * @example
 * ```ts
 * isCovered('user:read', ['*:read', 'role:write']) // true
 * isCovered('user:write user:read', ['user:write']) // false
 * ```
 */
export function isCovered(scope: string, scopes: readonly string[]): boolean {
  const space = scope.indexOf(' ')
  if (space !== -1) return isCovered(scope.slice(0, space), scopes) && isCovered(scope.slice(space + 1), scopes)
  return scopes.includes(scope) || scopes.includes(`*${scope.slice(scope.indexOf(':'))}`)
}
