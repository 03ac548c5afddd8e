/** The records of a noun that reference a record, as a tab of its page. */
import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { text } from '../../language/language.ts'
import { useColumns } from '../../list/column/use-columns.ts'
import { useCellFilter } from '../../list/filter/use-cell-filter.ts'
import { ListEmpty } from '../../list/list-empty.tsx'
import { ListFrame } from '../../list/list-frame.tsx'
import { ListTable } from '../../list/list-table.tsx'
import { useRowActions } from '../../list/row/use-row-actions.tsx'
import { useListPage } from '../../list/use-list-page.ts'
import { addressOf, toggleSort, withoutFilters } from '../../model/list/query.ts'
import { type RelatedList as Related, relatedQuery } from '../../model/record/related.ts'
import type { Json } from '../../model/service/openapi.ts'
import type { Variant } from '../../model/service/service.ts'
import { readPreference } from '../../state/preference.ts'
import { router, useAddress } from '../../state/router.ts'
import { follow } from '../../view/link.tsx'

interface RelatedListProps {
  readonly related: Related
  /** The ID of the record. */
  readonly id: string
}

export default function RelatedList({ related, id }: RelatedListProps) {
  const { collection, parameter, title } = related
  const { path, query } = useAddress()
  const columns = useColumns({
    collection,
    variant: related.variant,
    query,
    isView: true,
    onQuery: (next) => router.go(addressOf(path, next), { replaceHistory: true }),
  })
  const variant = useMemo(() => withoutFilter(columns.variant, parameter), [columns.variant, parameter])
  const fixed = parameter === undefined ? undefined : ([parameter, id] as const)
  const page = useListPage(collection, variant, noIds, { path, fixed })
  const { list, go } = page
  const filter = useState<string>()
  const filterCell = useCellFilter({ collection, variant, ids: noIds, query, onChange: go })
  const { renderActions, dialogs } = useRowActions({ collection, ids: noIds })
  const all = addressOf(related.variant.path, relatedQuery(related, id))
  const renderTable = (records: readonly Json[] | undefined) => (
    <ListTable
      {...{ collection, variant, query, columns, records }}
      ids={noIds}
      address={addressOf(path, query)}
      isStale={list.isPrevious}
      isBusy={list.isBusy}
      isCompact={readPreference('compact', false)}
      selection={undefined}
      onSort={(name, keepsOthers) => go(toggleSort(query, name, keepsOthers))}
      onFilter={filter[1]}
      onFilterCell={filterCell}
      renderActions={renderActions}
    />
  )
  return (
    <ListFrame
      page={page}
      title={title}
      className="list-view nested"
      tools={{
        after: (
          <Button size="xs" variant="default" component="a" href={`#${all}`} onClick={follow(all)}>
            {text().record.openList}
          </Button>
        ),
      }}
      filter={filter}
      waiting={renderTable(undefined)}
    >
      {(records) => (
        <>
          {renderTable(records)}
          {dialogs}
          {records.length === 0 && (
            <ListEmpty
              {...{ collection, query }}
              isPast={(list.data?.pageInfo?.numberOfRecords ?? 0) > 0}
              isLinked={false}
              onClear={() => go(withoutFilters(query))}
            />
          )}
        </>
      )}
    </ListFrame>
  )
}

const noIds: readonly string[] = []

/** The filter by the record is fixed. */
function withoutFilter(variant: Variant, parameter: string | undefined): Variant {
  return { ...variant, filters: variant.filters.filter(({ exact }) => exact !== parameter) }
}
