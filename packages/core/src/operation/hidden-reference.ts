/** References to nouns without a resource. */
import type { AnyApi } from '../api/api.ts'
import { specOf, targetOf } from '../noun/noun.ts'
import type { AnyResource } from '../resource/resource.ts'
import { childrenOf, completeShape } from '../resource/shape.ts'

/** A reference to a noun that no resource of the apis shows. */
export interface HiddenReference {
  readonly api: AnyApi
  readonly resource: AnyResource
  /** The name of the reference in the resource. */
  readonly property: string
  /** The name of the noun that it refers to. */
  readonly target: string
}

/**
 * Finds references (foreign keys) to nouns that no resource of the apis shows, so that clients cannot look the records up.
 * Managed references such as `createdBy` are not included.
 *
 * @example
 * ```ts
 * for (const { property, target } of hiddenReferences([directory])) console.warn(`${property} refers to ${target}`)
 * ```
 */
export function hiddenReferences(apis: readonly AnyApi[]): readonly HiddenReference[] {
  const exposed = apis.flatMap((api) => resourcesOf(api).map((resource) => ({ api, resource })))
  const nouns = new Set(exposed.map(({ resource }) => resource.noun))
  return exposed.flatMap(({ api, resource }) =>
    completeShape(resource).properties.flatMap(({ name, field }) => {
      const { kind, managed } = specOf(resource.noun, field)
      if (kind !== 'reference' || managed !== undefined) return []
      const target = targetOf(resource.noun, field)
      return nouns.has(target) ? [] : [{ api, resource, property: name, target: target.name }]
    }),
  )
}

function resourcesOf({ options }: AnyApi): readonly AnyResource[] {
  const withChildren = (resource: AnyResource): readonly AnyResource[] => [
    resource,
    ...childrenOf(resource).flatMap(withChildren),
  ]
  return options.resources.flatMap(withChildren)
}
