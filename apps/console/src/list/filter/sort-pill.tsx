/** The sort of a list as a pill, also if the column is not shown. */
import { useState } from 'react'
import { text } from '../../language/language.ts'
import { sortsOf, withSorts } from '../../model/list/query.ts'
import type { Collection, Variant } from '../../model/service/service.ts'
import { title } from '../../model/title.ts'
import { FilterLabel } from './filter-text.tsx'
import { Pill } from './pill.tsx'

const loadEditor = () => import('./sort-editor.tsx')

interface SortPillProps {
  readonly collection: Collection
  readonly variant: Variant
  readonly query: URLSearchParams
  onChange(query: URLSearchParams): void
}

export function SortPill({ collection, variant, query, onChange }: SortPillProps) {
  const [isOpen, setOpen] = useState(false)
  const sorts = sortsOf(query)
  if (sorts.length === 0) return null
  const titleOf = (name: string) => collection.fields.find((field) => field.name === name)?.title ?? title(name)
  const value = sorts.map(({ name, isDescending }) => `${titleOf(name)} ${isDescending ? '↓' : '↑'}`).join(', ')
  return (
    <Pill
      isSet
      isOpen={isOpen}
      onOpen={setOpen}
      clearLabel={text().filter.clearSort}
      onClear={() => onChange(withSorts(query, []))}
      load={loadEditor}
      editorProps={{
        sorts,
        sortable: [...variant.sortable],
        titleOf,
        onChange: (next) => onChange(withSorts(query, next)),
      }}
    >
      <FilterLabel title={text().filter.sort} value={value} />
    </Pill>
  )
}
