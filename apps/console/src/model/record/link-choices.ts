/** What may be linked with a record: the nearest list of the noun, narrowed by what both records point at. */
import type { Json } from '../service/openapi.ts'
import { type Collection, rootOf, type Service } from '../service/service.ts'

export interface LinkChoices {
  readonly target: Collection
  /** Identities of the records above the list of choices. */
  readonly ids: readonly string[]
  /** Filters by which the choices have the same references as the record above. */
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
    const found = at.children.find(({ noun, variants }) => noun === collection.noun && variants.length > 0)
    if (found) return { target: found, ids: ids.slice(0, depth), shared: {} }
  }
  const target = rootOf(service, collection.api, collection.noun)
  if (!target) return undefined
  const filters = target.variants[0]?.filters ?? []
  const shared: { [name: string]: string } = {}
  for (const { names, field } of filters) {
    const own = collection.parent?.fields.find(({ name }) => name === names[0])
    const value = own && above?.[own.name]
    if (own?.reference !== undefined && own.reference === field.reference && value !== null && value !== undefined)
      shared[own.name] = `${value}`
  }
  return { target, ids: [], shared }
}
