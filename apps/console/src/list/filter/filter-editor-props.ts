/** The properties of every editor of a filter. */
import type { Filter } from '../../model/list/filter.ts'
import type { Collection } from '../../model/service/service.ts'

export interface FilterEditorProps {
  readonly collection: Collection
  readonly filter: Filter
  readonly query: URLSearchParams
  onChange(query: URLSearchParams): void
  onDone(): void
}
