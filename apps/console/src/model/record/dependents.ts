/** The records that a delete would affect: those that reference it, those linked with it, and those that it owns. */
import { linkCollectionOf } from '../service/relation.ts'
import { type Collection, rootsOf, type Service, type Variant } from '../service/service.ts'

export interface Dependents {
  readonly kind: 'reference' | 'linked' | 'link' | 'owned'
  /**
   * The list that is counted. `reference`: all records of the noun, filtered by `parameter`. `linked` and `owned`: the list below
   * the record. `link`: the list of its noun below each record of another noun.
   */
  readonly collection: Collection
  readonly variant: Variant
  /** The noun of the records that depend on it. */
  readonly noun: string
  /** The filter with the ID of the record. */
  readonly parameter: string | undefined
  /** The title of the field that references the record. */
  readonly field: string | undefined
}

/** The dependents of the records of a root collection, one entry for each noun and field. */
export function dependentsOf(service: Service, collection: Collection): readonly Dependents[] {
  const dependents = [
    ...ownedRecords(collection),
    ...linkedRecords(collection),
    ...referencingLists(service, collection),
    ...links(collection),
  ]
  const byName = new Map<string, Dependents>()
  for (const dependent of dependents) {
    const name = `${dependent.noun} ${dependent.parameter === undefined || dependent.kind === 'link' ? '' : dependent.parameter}`
    if (!byName.has(name)) byName.set(name, dependent)
  }
  return [...byName.values()]
}

/** Child records, which are deleted with their parent. */
function ownedRecords({ children }: Collection): readonly Dependents[] {
  return children.filter(({ operations }) => operations.create).flatMap((child) => dependentsBelow('owned', child))
}

/** The linked records, where the path of the record has a list of them. */
function linkedRecords({ children }: Collection): readonly Dependents[] {
  return children.filter((child) => linkCollectionOf(child)).flatMap((child) => dependentsBelow('linked', child))
}

function dependentsBelow(kind: 'owned' | 'linked', collection: Collection): readonly Dependents[] {
  const [variant] = collection.variants
  return variant ? [{ kind, collection, variant, noun: collection.noun, parameter: undefined, field: undefined }] : []
}

/** Lists that can be filtered by a reference to the record. Those of its own api come first. */
export function referencingLists(service: Service, { api, noun, children }: Collection): readonly Dependents[] {
  const roots = [api, ...service.apis.filter((other) => other !== api)].flatMap(rootsOf)
  // The list of owned records is below their owner.
  const isOwned = (root: Collection) => children.some((child) => child.noun === root.noun && child.operations.create)
  return roots.flatMap((root) => {
    const [variant] = root.variants
    if (!variant || isOwned(root)) return []
    return variant.filters.flatMap(({ field, exact, title }): readonly Dependents[] => {
      if (field.reference !== noun || exact === undefined) return []
      return [{ kind: 'reference', collection: root, variant, noun: root.noun, parameter: exact, field: title }]
    })
  })
}

/** Lists of linked records below another noun, each of which needs its own request. */
function links({ api, noun }: Collection): readonly Dependents[] {
  const linkCollections = api.collections.filter(
    (candidate) => candidate.noun === noun && candidate.operations.link && candidate.parent?.parent === undefined,
  )
  return linkCollections.flatMap((collection) => {
    const { parent } = collection
    const variant = collection.variants.find(({ filters }) =>
      filters.some(({ exact }) => exact === collection.identity),
    )
    if (!parent || !variant) return []
    return [{ kind: 'link', collection, variant, noun: parent.noun, parameter: collection.identity, field: undefined }]
  })
}
