/** One page of a list. Filters, sort and page are in the URL. */
import { Text } from '@mantine/core'
import { lazy, Suspense, useEffect, useState } from 'react'
import { ActionButtons } from '../action/action-buttons.tsx'
import { SelectionBar } from '../bulk/selection-bar.tsx'
import { useImport } from '../bulk/use-import.tsx'
import { useRefusal } from '../http/use-refusal.ts'
import { text } from '../language/language.ts'
import { addressOf, requestQuery, toggleSort, viewIdOf, withColumns, withoutFilters } from '../model/list/query.ts'
import { bulkFields } from '../model/record/bulk-field.ts'
import { nameWithId } from '../model/record/label.ts'
import { sharedChanges } from '../model/record/shared-change.ts'
import { fill } from '../model/route.ts'
import type { Json } from '../model/service/openapi.ts'
import { isDerived, linkCollectionOf, writeCollectionOf } from '../model/service/relation.ts'
import { type Collection, idOf, type Variant } from '../model/service/service.ts'
import { nounText } from '../model/title.ts'
import { DerivedNote } from '../record/derived-note.tsx'
import { useCurrentView } from '../saved-view/use-current-view.ts'
import { useConsole } from '../state/console-context.ts'
import { readPreference, writePreference } from '../state/preference.ts'
import { router, useAddress } from '../state/router.ts'
import { useColumns } from './column/use-columns.ts'
import { useCellFilter } from './filter/use-cell-filter.ts'
import { ListEmpty } from './list-empty.tsx'
import { ListFrame } from './list-frame.tsx'
import { ListTable } from './list-table.tsx'
import { ListTools } from './list-tools.tsx'
import { NewButton } from './new-button.tsx'
import { moveRowFocus } from './row/row-focus.ts'
import { useRowActions } from './row/use-row-actions.tsx'
import { useListPage } from './use-list-page.ts'
import { useSelection } from './use-selection.ts'

const LinkPicker = lazy(async () => ({ default: (await import('../record/reference/link-picker.tsx')).LinkPicker }))

interface ListViewProps {
  readonly collection: Collection
  readonly variant: Variant
  readonly ids: readonly string[]
  /** The list is a tab of a record, which has the main heading. */
  readonly isNested?: boolean
}

export function ListView({ collection, variant: named, ids: pathIds, isNested = false }: ListViewProps) {
  const { service } = useConsole()
  const { query } = useAddress()
  const ids = useSame(pathIds)
  const onColumns = (next: URLSearchParams) =>
    router.go(addressOf(router.address().path, next), { replaceHistory: true })
  const columns = useColumns({
    collection,
    variant: named,
    query,
    isView: viewIdOf(query) !== undefined,
    onQuery: onColumns,
  })
  const { variant, names, isNamed } = columns
  const page = useListPage(collection, variant, ids)
  const { list, path, go } = page
  const [isCompact, setCompact] = useState(() => readPreference('compact', false))
  const openFilter = useState<string>()
  // The URL names the columns and the list that has them, so that a link shows the same.
  useEffect(() => {
    const next = addressOf(fill(variant.path, ids), isNamed ? withColumns(query, names) : query)
    if (next !== addressOf(fill(named.path, ids), query)) router.go(next, { replaceHistory: true })
  }, [variant, named, ids, query, isNamed, names])
  const filterCell = useCellFilter({ collection, variant, ids, query, onChange: go })
  const writeCollection = writeCollectionOf(collection)
  const linkCollection = linkCollectionOf(collection)
  const creationRefusal = useRefusal()(writeCollection.api, writeCollection.operations.create)
  const { records, pageInfo } = list.data ?? {}
  const current = useCurrentView({ collection, path, query, columnNames: names, pageSize: pageInfo?.pageSize })
  const canCreate = !linkCollection && writeCollection.operations.create !== undefined
  const create = () => router.go(`${fill(collection.path, ids)}/~new`)
  const { listImport, importDialog } = useImport({
    collection,
    writeCollection: linkCollection ? collection : writeCollection,
    ids,
  })
  const newButton = canCreate && <NewButton noun={nounText(collection)} refusal={creationRefusal} onClick={create} />
  const isSelectable = sharedChanges(collection).length > 0 || bulkFields(writeCollection).length > 0
  const selection = useSelection(
    addressOf(path, query),
    (records ?? []).map((record) => `${idOf(collection, record)}`),
  )
  const total = pageInfo?.numberOfRecords ?? 0
  // The rows of an earlier request have another total.
  const matches =
    records && total > records.length && !list.isPrevious
      ? { collection, variant, ids, query: requestQuery(variant.filters, query), count: total }
      : undefined
  const { renderActions, dialogs } = useRowActions({
    collection,
    ids,
    onNew: canCreate && creationRefusal === undefined ? create : undefined,
    onToggle: isSelectable ? (id) => selection.toggle(id, false) : undefined,
  })
  const { view, isChanged } = current
  const renderTable = (shown: readonly Json[] | undefined) => (
    <ListTable
      collection={collection}
      variant={variant}
      ids={ids}
      query={query}
      records={shown}
      isStale={list.isPrevious}
      isBusy={list.isBusy}
      address={addressOf(path, query)}
      isCompact={isCompact}
      columns={columns}
      selection={isSelectable ? selection : undefined}
      onSort={(name, keepsOthers) => go(toggleSort(query, name, keepsOthers))}
      onFilter={openFilter[1]}
      onFilterCell={filterCell}
      renderActions={renderActions}
    />
  )
  return (
    <>
      <button type="button" className="skip" onClick={() => moveRowFocus(1)}>
        {text().view.skipToRows}
      </button>
      <ListFrame
        page={page}
        title={collection.plural}
        subtitle={
          view && (
            <Text fw={500}>
              {view.name}
              {isChanged && ` (${text().view.changed})`}
            </Text>
          )
        }
        isNested={isNested}
        className={isNested ? 'list-view nested' : 'list-view'}
        tools={{
          before: (
            <ActionButtons
              actions={collection.actions.collection.map((action) => ({ api: collection.api, action, ids }))}
            />
          ),
          more: (
            <ListTools
              page={page}
              ids={ids}
              columns={columns}
              isCompact={isCompact}
              onCompact={(next) => {
                writePreference('compact', next)
                setCompact(next)
              }}
              listImport={listImport}
              current={isNested ? undefined : current}
            />
          ),
          after: linkCollection ? (
            <Suspense>
              <LinkPicker collection={collection} linkCollection={linkCollection} ids={ids} />
            </Suspense>
          ) : (
            newButton
          ),
        }}
        notes={
          <>
            {variant.operation.description !== undefined && (
              <Text size="sm" c="dimmed" lineClamp={3} className="list-description">
                {variant.operation.description}
              </Text>
            )}
            {isDerived(collection) && <DerivedNote collection={collection} />}
            <SelectionBar
              collection={collection}
              ids={ids}
              selection={selection}
              matches={matches}
              nameOf={(id) => {
                const record = records?.find((candidate) => `${idOf(collection, candidate)}` === id)
                return record ? nameWithId(service, collection, record) : id
              }}
            />
          </>
        }
        selection={selection}
        filter={openFilter}
        waiting={renderTable(undefined)}
      >
        {(shown) => (
          <>
            {renderTable(shown)}
            {shown.length === 0 && (
              <ListEmpty
                collection={collection}
                query={query}
                isPast={total > 0}
                isLinked={linkCollection !== undefined}
                onClear={() => go(withoutFilters(query))}
                newButton={newButton}
                listImport={listImport}
              />
            )}
          </>
        )}
      </ListFrame>
      {dialogs}
      {importDialog}
    </>
  )
}

/** The same array as long as its items are the same. */
function useSame(items: readonly string[]): readonly string[] {
  const [same, setSame] = useState(items)
  if (same === items || (same.length === items.length && same.every((item, index) => item === items[index])))
    return same
  setSame(items)
  return items
}
