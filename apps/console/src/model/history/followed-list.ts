/** Finds the list of changes that shows when another list must be loaded again. */
import { type Collection, rootsOf, type Service } from '../service/service.ts'
import { isHistory } from './history.ts'

export interface FollowedList {
  readonly base: string
  readonly path: string
  readonly filter: URLSearchParams
  /** The property of a response that holds the entries. */
  readonly property: string | undefined
}

/** Undefined if the service has no list of all changes that can be followed. */
export function followedList(service: Service, collection: Collection): FollowedList | undefined {
  const { api, noun, parent } = collection
  const changes = [api, ...service.apis].flatMap(rootsOf).find(isHistory)
  const variant = changes?.variants[0]
  if (!changes || !variant?.operation.parameters.some(({ name }) => name === 'wait')) return undefined
  // A list below a record also changes with links. Those have a name of their own in the history.
  const isOfNoun = parent === undefined && !isHistory(collection)
  return {
    base: changes.api.base,
    path: variant.path,
    filter: new URLSearchParams(isOfNoun ? { noun } : {}),
    property: variant.property,
  }
}
