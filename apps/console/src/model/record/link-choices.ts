/** The records that can be linked with a record: the nearest list of the noun, filtered by shared references. */
import type { Json } from '../service/openapi.ts'
import { type Collection, rootOf, type Service } from '../service/service.ts'

export interface LinkChoices {
  readonly target: Collection
  /** The IDs of the ancestors in the path of the list of choices. */
  readonly ids: readonly string[]
  /** Filters that select records with the same references as the parent. */
  readonly shared: { readonly [name: string]: string }
}

/** `/application/1/user/5/role` links with roles of application 1; `/role/3/action` with actions of the role's application. */
export function linkChoices(
  service: Service,
  collection: Collection,
  ids: readonly string[],
  above: Json | undefined,
): LinkChoices | undefined {
  let depth = ids.length - 1
  for (let at = collection.parent?.parent; at; at = at.parent, depth--) {
    const match = at.children.find(({ noun, variants }) => noun === collection.noun && variants.length > 0)
    if (match) return { target: match, ids: ids.slice(0, depth), shared: {} }
  }
  const target = rootOf(service, collection.api, collection.noun)
  if (!target) return undefined
  const filters = target.variants[0]?.filters ?? []
  const shared: { [name: string]: string } = {}
  for (const { exact, field } of filters) {
    const parentField = collection.parent?.fields.find(({ name }) => name === exact)
    const value = parentField && above?.[parentField.name]
    if (
      parentField?.reference !== undefined &&
      parentField.reference === field.reference &&
      value !== null &&
      value !== undefined
    )
      shared[parentField.name] = `${value}`
  }
  return { target, ids: [], shared }
}
