/** Records of all nouns, found by the typed text: by the search of the service, or among the first records of a noun without search. */
import { useQueries } from '@tanstack/react-query'
import { listQuery } from '../http/queries.ts'
import { isHistory } from '../model/history/history.ts'
import { labelFields, labelOf } from '../model/record/label.ts'
import { recordPath } from '../model/route.ts'
import { type Collection, idOf, rootsOf, type Service, type Variant } from '../model/service/service.ts'
import { foldedText } from '../model/title.ts'
import { useConsole } from '../state/console-context.ts'
import { router } from '../state/router.ts'
import type { Entry } from './entry.ts'

/** Shorter texts match too much. */
const minSearchLength = 2
/** The maximum number of records of one noun. */
const maxEntries = 5
/** The number of records that are read of a noun without search. */
const scannedRecords = 100

export function useRecordEntries(search: string): { readonly entries: readonly Entry[]; readonly isLoading: boolean } {
  const { service, http } = useConsole()
  const targets = targetsOf(service)
  const isEnabled = search.length >= minSearchLength
  const lists = useQueries({
    queries: targets.map(({ collection, variant }) => ({
      ...listQuery(http, { collection, variant, ids: [], query: queryOf(variant, search) }),
      enabled: isEnabled,
    })),
  })
  const foldedSearch = foldedText(search)
  const entries = targets.flatMap(({ collection, variant }, index) => {
    const entries = (lists[index]?.data?.records ?? []).map((record) => ({
      id: idOf(collection, record),
      title: labelOf(service, collection, record),
    }))
    // A search of the service may match fields that the label does not show.
    const matchingEntries = entries.filter(({ title }) => variant.hasSearch || foldedText(title).includes(foldedSearch))
    return matchingEntries.slice(0, maxEntries).map(({ id, title }): Entry => {
      const path = recordPath(collection, [id])
      return {
        id: `record ${collection.api.base}${path}`,
        title,
        detail: `${collection.title} ${id}`,
        icon: 'docs',
        run: () => router.go(path),
      }
    })
  })
  return { entries: isEnabled ? entries : [], isLoading: isEnabled && lists.some(({ isFetching }) => isFetching) }
}

function queryOf({ hasSearch, pageSize }: Variant, search: string): URLSearchParams {
  const query = new URLSearchParams(hasSearch ? { search } : {})
  if (pageSize) query.set('pageSize', `${Math.min(hasSearch ? maxEntries : scannedRecords, pageSize.maximum)}`)
  return query
}

interface Target {
  readonly collection: Collection
  readonly variant: Variant
}

/** One list for each noun, of the first api that has it, with the fields of its label, and with search if there is one. */
function targetsOf(service: Service): readonly Target[] {
  const targets = new Map<string, Target>()
  for (const collection of service.apis.flatMap(rootsOf)) {
    if (isHistory(collection) || !collection.operations.read) continue
    const names = labelFields(service, collection)
    const showsLabel = ({ columns }: Variant) => names.every((name) => columns.some((column) => column.name === name))
    const lists = collection.variants.filter(({ hasSearch }) => hasSearch)
    const variant = lists.find(showsLabel) ?? collection.variants.find(showsLabel) ?? collection.variants[0]
    const existing = targets.get(collection.noun)
    if (variant && (!existing || (variant.hasSearch && !existing.variant.hasSearch)))
      targets.set(collection.noun, { collection, variant })
  }
  return [...targets.values()]
}
