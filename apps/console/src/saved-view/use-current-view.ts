/** The saved view that a list was opened with, and whether the list has changed since. */
import { addressOf, savedQuery, viewIdOf } from '../model/list/query.ts'
import { differsFrom, isViewOf, type SavedView } from '../model/list/saved-view.ts'
import type { Collection } from '../model/service/service.ts'
import { useSavedViews } from './use-saved-views.ts'

export interface CurrentView {
  /** Undefined if the list is not one of a saved view. */
  readonly view: SavedView | undefined
  readonly isChanged: boolean
  /** The URL of the list as a view keeps it. */
  readonly address: string
}

interface ListState {
  readonly collection: Collection
  readonly path: string
  readonly query: URLSearchParams
  readonly columnNames: readonly string[]
  /** Undefined while the page loads. */
  readonly pageSize: number | undefined
}

export function useCurrentView({ collection, path, query, columnNames, pageSize }: ListState): CurrentView {
  const id = viewIdOf(query)
  const view = useSavedViews().find((candidate) => candidate.id === id && isViewOf(candidate, collection))
  const address = addressOf(path, savedQuery(query, columnNames, pageSize))
  return { view, isChanged: view !== undefined && pageSize !== undefined && differsFrom(view, address), address }
}
