/** The operations that a resource offers at its path in an api. */
import { DeclarationError } from '../declaration/error.ts'
import { isMutable } from '../field/field.ts'
import { change, hasHistory } from '../noun/change.ts'
import { isErasable } from '../noun/history-option.ts'
import { directLink, directReference, type Relation } from './relation.ts'
import type { AnyResource, Offer, ResourceOptions } from './resource.ts'
import { segmentOf } from './shape.ts'

const reads: readonly Offer[] = ['list', 'read']
const writes: readonly Offer[] = ['create', 'replace', 'update', 'delete']

/** The operations of a resource, by who may call them. */
export interface Offers {
  readonly public: ReadonlySet<Offer>
  /** For handlers only. */
  readonly internal: ReadonlySet<Offer>
}

/**
 * The operations of a resource. The default is all that are possible. At the root, these are reads and writes. Below a parent,
 * these are reads, and writes if the api has nested writes and the child references the parent, or links if there is a link.
 * Internal operations are not part of the default.
 */
export function offersOf(form: 'nested' | 'flat', resource: AnyResource, relations: readonly Relation[]): Offers {
  const { offers, internal = [] } = resource.options as ResourceOptions
  const allowed = resource.noun === change ? reads : allowedOffers(form, resource, relations)
  const impossibleOffer = [...(offers ?? []), ...internal].find((offer) => !allowed.includes(offer))
  if (impossibleOffer !== undefined) refuseOffer(form, resource, relations, impossibleOffer)
  const duplicate = offers?.find((offer) => internal.includes(offer))
  if (duplicate !== undefined)
    throw new DeclarationError(
      `resource "${segmentOf(resource)}"`,
      `"${duplicate}" is both in offers and in internal.`,
      'remove it from offers or from internal.',
    )
  return {
    public: new Set(offers ?? allowed.filter((offer) => !internal.includes(offer))),
    internal: new Set(internal),
  }
}

function allowedOffers(
  form: 'nested' | 'flat',
  { noun }: AnyResource,
  relations: readonly Relation[],
): readonly Offer[] {
  const parent = relations.at(-1)
  const restore: readonly Offer[] = hasHistory(noun) ? ['restore'] : []
  const erase: readonly Offer[] = isErasable(noun.options.history) ? ['erase'] : []
  const all = [...reads, ...writes, ...restore, ...erase]
  if (parent === undefined) return all
  if (directLink(parent) && parent.level === 0) return [...reads, 'link']
  return form === 'nested' && hasParentInPath(parent) ? all : reads
}

/** Whether the path sets the parent of the record: the child has a direct reference that clients may set. */
function hasParentInPath(parent: Relation): boolean {
  const field = directReference(parent)
  return field !== undefined && isMutable(parent.steps[0]?.from.fields[field].spec)
}

function refuseOffer(
  form: 'nested' | 'flat',
  resource: AnyResource,
  relations: readonly Relation[],
  offer: Offer,
): never {
  const subject = `resource "${segmentOf(resource)}"`
  if (resource.noun === change)
    throw new DeclarationError(
      subject,
      `the operation "${offer}" is not possible: the database writes the history.`,
      `remove "${offer}".`,
    )
  if (offer === 'restore' && !hasHistory(resource.noun))
    throw new DeclarationError(
      subject,
      `the operation "restore" is not possible: "${resource.noun.name}" has no history.`,
      'add history: true to the noun, or remove "restore".',
    )
  if (offer === 'erase' && !isErasable(resource.noun.options.history))
    throw new DeclarationError(
      subject,
      `the operation "erase" is not possible: the history of "${resource.noun.name}" is not erasable.`,
      'add history: { erasable: true } to the noun, or remove "erase".',
    )
  if (offer === 'link') {
    throw new DeclarationError(
      subject,
      'the operation "link" requires a direct child of a root resource, and a link between the two nouns.',
      'remove "link", or set via to a link.',
    )
  }
  const isLinked = relations.length > 0 && !hasParentInPath(relations.at(-1) as Relation)
  throw new DeclarationError(
    subject,
    isLinked
      ? `the operation "${offer}" is not possible: the resource has no direct reference to its parent.`
      : `the operation "${offer}" is not possible below a parent in an api with writes: '${form}'.`,
    `declare the resource at the root of the api for writes, and remove "${offer}" here.`,
  )
}
