/** One page of a list. Filters, sort and page are in the URL. */
import { Button, Center, Group, Stack, Text, Title } from '@mantine/core'
import { useCallback, useEffect, useState } from 'react'
import { ActionButtons, ActionDialogFor, type BoundAction } from '../action/action-buttons.tsx'
import { BulkMenu } from '../bulk/bulk-menu.tsx'
import { ChosenBar } from '../bulk/chosen-bar.tsx'
import { useLiveList } from '../history/use-live-list.ts'
import { format, text } from '../language/language.ts'
import { fill } from '../model/address.ts'
import { addressOf, toggleSort, withoutFilters } from '../model/list/query.ts'
import { labelOf } from '../model/record/label.ts'
import { sharedChanges } from '../model/record/shared-change.ts'
import type { Json } from '../model/service/openapi.ts'
import { isDerived, linkCollectionOf, writeCollectionOf } from '../model/service/relation.ts'
import { type Collection, idOf, type Variant } from '../model/service/service.ts'
import { nounText } from '../model/words.ts'
import { DeleteDialog } from '../record/delete-dialog.tsx'
import { DerivedNote } from '../record/derived-note.tsx'
import { LinkPicker } from '../record/link-picker.tsx'
import { Icon } from '../view/icon.tsx'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { useConsole } from '../wire/console-context.ts'
import { useList } from '../wire/data.ts'
import { pageQuery, readPreference, writePreference } from '../wire/preference.ts'
import { type NavigateOptions, router, useAddress } from '../wire/router.ts'
import { ColumnMenu } from './column-menu.tsx'
import { FilterBar } from './filter-bar.tsx'
import { ListTable } from './list-table.tsx'
import { PageControls } from './page-controls.tsx'
import { RefreshButton } from './refresh-button.tsx'
import { RowMenu } from './row-menu.tsx'
import { useChosen } from './use-chosen.ts'
import { useColumns } from './use-columns.ts'

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
  const columns = useColumns(collection, named)
  const { variant } = columns
  const list = useList({ collection, variant, ids, query: pageQuery(variant, query) })
  useLiveList(collection)
  const [isCompact, setCompact] = useState(() => readPreference('compact', false))
  const [removed, setRemoved] = useState<string>()
  const [done, setDone] = useState<BoundAction>()
  const path = fill(variant.path, ids)
  const go = (next: URLSearchParams, options?: NavigateOptions) => router.go(addressOf(path, next), options)
  // The URL names the list that has the shown columns.
  useEffect(() => {
    if (variant !== named) router.go(addressOf(fill(variant.path, ids), query), { replaceHistory: true })
  }, [variant, named, ids, query])
  const writeCollection = writeCollectionOf(collection)
  const linkCollection = linkCollectionOf(collection)
  const { records, pageInfo } = list.data ?? {}
  const isEmpty = records?.length === 0
  const chosen = useChosen(
    addressOf(path, query),
    (records ?? []).map((record) => `${idOf(collection, record)}`),
  )
  const renderActions = useCallback(
    (record: Json) => (
      <RowMenu
        collection={collection}
        writeCollection={writeCollection}
        linkCollection={linkCollection}
        ids={ids}
        record={record}
        onDelete={() => setRemoved(`${idOf(collection, record)}`)}
        onAct={setDone}
      />
    ),
    [collection, writeCollection, linkCollection, ids],
  )
  return (
    <Stack gap="sm" className="list-view">
      <Group justify="space-between" gap="xs">
        <Group gap="sm" align="baseline">
          <Title order={isNested ? 2 : 1} size={isNested ? 'h5' : 'h3'}>
            {collection.title}
          </Title>
          {pageInfo && (
            <Text c="dimmed" size="sm" aria-live="polite">
              {format().number(pageInfo.numberOfRecords)}
            </Text>
          )}
        </Group>
        <Group gap="xs">
          <ActionButtons
            actions={collection.actions.collection.map((action) => ({ api: collection.api, action, ids }))}
          />
          <RefreshButton list={list} />
          {columns.all.length > 1 && (
            <ColumnMenu
              columns={columns}
              isCompact={isCompact}
              onChange={columns.set}
              onReset={columns.reset}
              onCompact={(next) => {
                writePreference('compact', next)
                setCompact(next)
              }}
            />
          )}
          <BulkMenu
            collection={collection}
            variant={variant}
            ids={ids}
            query={query}
            writeCollection={linkCollection ? collection : writeCollection}
          />
          {!linkCollection && writeCollection.operations.create && (
            <Button
              size="xs"
              leftSection={<Icon name="add" size={14} />}
              onClick={() => router.go(`${fill(collection.path, ids)}/~new`)}
            >
              {text().list.newRecord(nounText(collection))}
            </Button>
          )}
        </Group>
      </Group>
      {variant.operation.description !== undefined && (
        <Text size="sm" c="dimmed" lineClamp={3}>
          {variant.operation.description}
        </Text>
      )}
      {isDerived(collection) && <DerivedNote collection={collection} />}
      {linkCollection && <LinkPicker collection={collection} linkCollection={linkCollection} ids={ids} />}
      {chosen.ids.length === 0 && <FilterBar collection={collection} variant={variant} query={query} onChange={go} />}
      <ChosenBar
        collection={collection}
        ids={ids}
        chosen={chosen}
        nameOf={(id) => {
          const record = records?.find((candidate) => `${idOf(collection, candidate)}` === id)
          return record ? `${labelOf(service, collection, record)} (${id})` : id
        }}
      />
      {list.error && !list.isFetching ? (
        <ProblemAlert error={list.error} onRetry={() => list.refetch()} />
      ) : (
        <>
          <ListTable
            collection={collection}
            variant={variant}
            ids={ids}
            query={query}
            records={records}
            isStale={list.isPlaceholderData}
            address={addressOf(path, query)}
            isCompact={isCompact}
            columns={columns}
            chosen={sharedChanges(collection).length > 0 ? chosen : undefined}
            onSort={(name, isAdded) => go(toggleSort(query, name, isAdded))}
            renderActions={renderActions}
          />
          {isEmpty && (
            <Empty
              collection={collection}
              query={query}
              isPast={(pageInfo?.numberOfRecords ?? 0) > 0}
              isLinked={linkCollection !== undefined}
              onClear={() => go(withoutFilters(query))}
            />
          )}
          {pageInfo && (
            <PageControls
              collection={collection}
              pageInfo={pageInfo}
              pageSize={variant.pageSize}
              query={query}
              onChange={go}
            />
          )}
        </>
      )}
      {done && <ActionDialogFor bound={done} onClose={() => setDone(undefined)} />}
      {removed !== undefined && (
        <DeleteDialog
          writeCollection={writeCollection}
          ids={writeCollection === collection ? [...ids, removed] : [removed]}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Stack>
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

interface EmptyProps {
  readonly collection: Collection
  readonly query: URLSearchParams
  /** The page number is past the last page. */
  readonly isPast: boolean
  /** The list shows records that are linked with the one above it. */
  readonly isLinked: boolean
  onClear(): void
}

function Empty({ collection, query, isPast, isLinked, onClear }: EmptyProps) {
  const isFiltered = [...query.keys()].some((name) => !['pageNumber', 'pageSize', 'sort'].includes(name))
  const noun = nounText(collection)
  const { fewerPages, noMatch, noneLinked, noRecords } = text().list
  return (
    <Center py="xl">
      <Stack align="center" gap="xs">
        <Text fw={500}>
          {isPast ? fewerPages : isFiltered ? noMatch(noun) : isLinked ? noneLinked(noun) : noRecords(noun)}
        </Text>
        {(isFiltered || isPast) && (
          <Button size="xs" variant="default" onClick={onClear}>
            {isPast ? text().list.firstPage : text().list.clearFilters}
          </Button>
        )}
      </Stack>
    </Center>
  )
}
