/** The lists that belong to a record: those below it, and those of nouns that reference it. */
import { text } from '../../language/language.ts'
import { isHistory } from '../history/history.ts'
import { isDerived, linkCollectionOf } from '../service/relation.ts'
import type { Collection, Service, Variant } from '../service/service.ts'
import { referencingLists } from './dependents.ts'

export interface RelatedList {
  readonly collection: Collection
  readonly variant: Variant
  /** The filter with the ID of the record; undefined for a list below it. */
  readonly parameter: string | undefined
  readonly title: string
  /** Its name in the URL of the record: the segment of the path, or `user.department`. */
  readonly key: string
}

export function relatedLists(service: Service, collection: Collection): readonly RelatedList[] {
  return [...listsBelow(collection), ...referencingNouns(service, collection)]
}

function listsBelow({ children }: Collection): readonly RelatedList[] {
  return children.flatMap((child) => {
    const [variant] = child.variants
    const title = isHistory(child) ? text().history.title : child.plural
    return variant ? [{ collection: child, variant, parameter: undefined, title, key: child.segment }] : []
  })
}

/** Nouns of another api only if this api does not have them: a record need not be listed twice. */
function referencingNouns(service: Service, collection: Collection): readonly RelatedList[] {
  const { api, noun, title: ownTitle, children } = collection
  // A list below the record that is neither linked nor derived has the records that reference it.
  const isBelow = (other: string) =>
    children.some((child) => child.noun === other && !isDerived(child) && !linkCollectionOf(child))
  const isOwn = (other: string) => api.collections.some((candidate) => candidate.noun === other)
  const lists = referencingLists(service, collection).filter(
    (one) => !isBelow(one.noun) && (one.collection.api === api || !isOwn(one.noun)),
  )
  return lists.map(({ collection: other, variant, parameter }) => {
    const field = other.fields.find(({ name }) => name === parameter)?.title
    const isPlain = other.noun !== noun && field === ownTitle
    const title = isPlain || field === undefined ? other.plural : text().record.relatedBy(other.plural, field)
    return { collection: other, variant, parameter, title, key: `${other.segment}.${parameter}` }
  })
}

/** The query of the list, with the record as its filter. */
export function relatedQuery({ parameter }: RelatedList, id: unknown, query = new URLSearchParams()): URLSearchParams {
  return parameter === undefined ? query : new URLSearchParams([...query, [parameter, `${id}`]])
}
