/** The operations that a resource offers at its path in an api. */
import { DeclarationError } from '../declaration/error.ts'
import { isSettable } from '../field/field.ts'
import { change, hasHistory } from '../noun/change.ts'
import { isErasable } from '../noun/history-option.ts'
import { offerNames } from './offer-name.ts'
import { directLink, directReference, type Relation } from './relation.ts'
import type { AnyResource, Offer, ResourceOptions } from './resource.ts'
import { segmentOf } from './shape.ts'

const readOffers: readonly Offer[] = ['list', 'read']
export const writeOffers: readonly Offer[] = ['create', 'replace', 'update', 'delete']

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
export function offersOf(writes: 'nested' | 'flat', resource: AnyResource, relations: readonly Relation[]): Offers {
  const { offers, internal = [] } = resource.options as ResourceOptions
  const allowed = resource.noun === change ? readOffers : allowedOffers(writes, resource, relations)
  // The check of the resource reports names that do not exist.
  const existingOffers = [...(offers ?? []), ...internal].filter((offer) => offerNames.includes(offer))
  const impossibleOffer = existingOffers.find((offer) => !allowed.includes(offer))
  if (impossibleOffer !== undefined) throw impossibleOfferError(writes, resource, relations, impossibleOffer)
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
  writes: 'nested' | 'flat',
  { noun }: AnyResource,
  relations: readonly Relation[],
): readonly Offer[] {
  const parent = relations.at(-1)
  const restore: readonly Offer[] = hasHistory(noun) ? ['restore'] : []
  const erase: readonly Offer[] = isErasable(noun.options.history) ? ['erase'] : []
  const all = [...readOffers, ...writeOffers, ...restore, ...erase]
  if (parent === undefined) return all
  if (directLink(parent) && parent.level === 0) return [...readOffers, 'link']
  return writes === 'nested' && hasParentInPath(parent) ? all : readOffers
}

/** Whether the path sets the parent of the record: the child has a direct reference that clients may set. */
function hasParentInPath(parent: Relation): boolean {
  const field = directReference(parent)
  return field !== undefined && isSettable(parent.steps[0]?.from.fields[field].spec)
}

function impossibleOfferError(
  writes: 'nested' | 'flat',
  resource: AnyResource,
  relations: readonly Relation[],
  offer: Offer,
): DeclarationError {
  const { noun } = resource
  const error = (mistake: string, fix: string) =>
    new DeclarationError(`resource "${segmentOf(resource)}"`, mistake, fix)
  const impossible = `the operation "${offer}" is not possible`
  if (noun === change) return error(`${impossible}: the database writes the history.`, `remove "${offer}".`)
  if (offer === 'restore' && !hasHistory(noun))
    return error(`${impossible}: "${noun.name}" has no history.`, 'add history: true to the noun, or remove "restore".')
  if (offer === 'erase' && !isErasable(noun.options.history))
    return error(
      `${impossible}: the history of "${noun.name}" is not erasable.`,
      'add history: { erasable: true } to the noun, or remove "erase".',
    )
  if (offer === 'link')
    return error(
      'the operation "link" requires a direct child of a root resource, and a link between the two nouns.',
      'remove "link", or set via to a link.',
    )
  const hasNoParentReference = relations.length > 0 && !hasParentInPath(relations.at(-1) as Relation)
  return error(
    hasNoParentReference
      ? `${impossible}: the resource has no direct reference to its parent.`
      : `${impossible} below a parent in an API with writes: '${writes}'.`,
    `declare the resource at the root of the API for writes, and remove "${offer}" here.`,
  )
}
