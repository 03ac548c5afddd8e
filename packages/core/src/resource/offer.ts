/** Which operations a resource offers at its place in an api. */
import { DeclarationError } from '../declaration/error.ts'
import { isMutable } from '../field/field.ts'
import { directLink, directReference, type Relation } from './relation.ts'
import type { AnyResource, Offer, ResourceOptions } from './resource.ts'

const reads: readonly Offer[] = ['list', 'read']
const writes: readonly Offer[] = ['create', 'replace', 'update', 'delete']

/**
 * What is offered where nothing is said: everything at the root; below a parent reads, the writes where the api's form
 * is nested and the record belongs to its parent by a reference, and linking where the two are linked.
 */
export function offersOf(
  form: 'nested' | 'flat',
  resource: AnyResource,
  relations: readonly Relation[],
): ReadonlySet<Offer> {
  const { offers } = resource.options as ResourceOptions
  const allowed = new Set(allowedOffers(form, relations))
  if (offers === undefined) return allowed
  const refused = offers.find((offer) => !allowed.has(offer))
  if (refused !== undefined) refuseOffer(form, resource, relations, refused)
  return new Set(offers)
}

function allowedOffers(form: 'nested' | 'flat', relations: readonly Relation[]): readonly Offer[] {
  const parent = relations.at(-1)
  if (parent === undefined) return [...reads, ...writes]
  if (directLink(parent) && parent.level === 0) return [...reads, 'link']
  return form === 'nested' && isFilledIn(parent) ? [...reads, ...writes] : reads
}

/** Whether the path can say whose the record is: by a reference of its own that is not the server's to set. */
function isFilledIn(parent: Relation): boolean {
  const field = directReference(parent)
  return field !== undefined && isMutable(parent.steps[0]?.from.fields[field].spec)
}

function refuseOffer(
  form: 'nested' | 'flat',
  resource: AnyResource,
  relations: readonly Relation[],
  offer: Offer,
): never {
  const subject = `resource "${resource.options.path ?? resource.noun.name}"`
  if (offer === 'link') {
    throw new DeclarationError(
      subject,
      'offers links, and stands directly below no root resource it is linked with.',
      "leave 'link' out, or say via: a link.",
    )
  }
  const isLinked = relations.length > 0 && !isFilledIn(relations.at(-1) as Relation)
  throw new DeclarationError(
    subject,
    isLinked
      ? `offers "${offer}" below a parent that it is only linked with.`
      : `offers "${offer}" below its parent, in an api whose writes are ${form}: one api has one form (spec 4.2).`,
    'declare the resource at the root of the api for its writes, and leave them out here.',
  )
}
