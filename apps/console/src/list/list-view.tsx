/** A list as the list call gives it: everything that shapes it stands in the address. */
import { ActionIcon, Button, Center, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { ActionButtons, ActionDialogFor, type Doable } from '../action/action-buttons.tsx'
import { BulkMenu } from '../bulk/bulk-menu.tsx'
import { ChosenBar } from '../bulk/chosen-bar.tsx'
import { fill } from '../model/address.ts'
import { addressOf, toggleSort, withoutFilters } from '../model/list/query.ts'
import { labelOf } from '../model/record/label.ts'
import { sharedChanges } from '../model/record/shared-change.ts'
import { type Collection, idOf, linkerOf, type Variant, writerOf } from '../model/service/service.ts'
import { grouped, title } from '../model/words.ts'
import { DeleteDialog } from '../record/delete-dialog.tsx'
import { LinkPicker } from '../record/link-picker.tsx'
import { Icon } from '../view/icon.tsx'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { useConsole } from '../wire/console-context.ts'
import { useList } from '../wire/data.ts'
import { router, useAddress } from '../wire/router.ts'
import { ColumnMenu } from './column-menu.tsx'
import { FilterBar } from './filter-bar.tsx'
import { ListTable } from './list-table.tsx'
import { PageControls } from './page-controls.tsx'
import { RowMenu } from './row-menu.tsx'
import { useChosen } from './use-chosen.ts'
import { useHiddenColumns } from './use-hidden-columns.ts'

interface ListViewProps {
  readonly collection: Collection
  readonly variant: Variant
  readonly ids: readonly string[]
  /** Below a record, whose name stands above it already. */
  readonly isNested?: boolean
}

export function ListView({ collection, variant, ids, isNested = false }: ListViewProps) {
  const { service } = useConsole()
  const { query } = useAddress()
  const list = useList({ collection, variant, ids, query })
  const [removed, setRemoved] = useState<string>()
  const [done, setDone] = useState<Doable>()
  const path = fill(variant.path, ids)
  const go = (next: URLSearchParams, isReplaced = false) => router.go(addressOf(path, next), { isReplaced })
  const hidden = useHiddenColumns(collection, variant)
  const writer = writerOf(collection)
  const linker = linkerOf(collection)
  const { records, pageInfo } = list.data ?? {}
  const isEmpty = records?.length === 0
  const chosen = useChosen(
    addressOf(path, query),
    (records ?? []).map((record) => `${idOf(collection, record)}`),
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
              {grouped(pageInfo.numberOfRecords)}
            </Text>
          )}
        </Group>
        <Group gap="xs">
          <ActionButtons
            actions={collection.actions.collection.map((action) => ({ api: collection.api, action, ids }))}
          />
          {collection.variants.length > 1 && (
            <VariantSwitch collection={collection} variant={variant} ids={ids} query={query} />
          )}
          <ActionIcon
            variant="default"
            size={30}
            aria-label="Ask again"
            title="Ask again"
            loading={list.isFetching && !list.isLoading}
            onClick={() => list.refetch()}
          >
            <Icon sign="again" size={15} />
          </ActionIcon>
          {variant.columns.length > 1 && <ColumnMenu columns={variant.columns} hidden={hidden} />}
          <BulkMenu
            collection={collection}
            variant={variant}
            ids={ids}
            query={query}
            writer={linker ? collection : writer}
          />
          {!linker && writer.operations.create && (
            <Button
              size="xs"
              leftSection={<Icon sign="add" size={14} />}
              onClick={() => router.go(`${fill(collection.path, ids)}/~new`)}
            >
              New {collection.noun.replaceAll('-', ' ')}
            </Button>
          )}
        </Group>
      </Group>
      {linker && <LinkPicker collection={collection} linker={linker} ids={ids} />}
      <FilterBar collection={collection} variant={variant} query={query} onChange={go} />
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
            hidden={hidden.names}
            chosen={sharedChanges(collection).length > 0 ? chosen : undefined}
            onSort={(name, isAdded) => go(toggleSort(query, name, isAdded))}
            renderActions={(record) => (
              <RowMenu
                collection={collection}
                writer={writer}
                linker={linker}
                ids={ids}
                record={record}
                onDelete={() => setRemoved(`${idOf(collection, record)}`)}
                onAct={setDone}
              />
            )}
          />
          {isEmpty && (
            <Empty
              collection={collection}
              query={query}
              isPast={(pageInfo?.numberOfRecords ?? 0) > 0}
              onClear={() => go(withoutFilters(query))}
            />
          )}
          {pageInfo && <PageControls pageInfo={pageInfo} pageSize={variant.pageSize} query={query} onChange={go} />}
        </>
      )}
      <ChosenBar
        collection={collection}
        ids={ids}
        chosen={chosen}
        nameOf={(id) => {
          const record = records?.find((one) => `${idOf(collection, one)}` === id)
          return record ? `${labelOf(service, collection, record)} (${id})` : id
        }}
      />
      {done && <ActionDialogFor doable={done} onClose={() => setDone(undefined)} />}
      {removed !== undefined && (
        <DeleteDialog
          writer={writer}
          ids={writer === collection ? [...ids, removed] : [removed]}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Stack>
  )
}

/** The same records, more or less of each. */
function VariantSwitch({
  collection,
  variant,
  ids,
  query,
}: Omit<ListViewProps, 'isNested'> & { readonly query: URLSearchParams }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="How much of each record is shown"
      value={variant.name}
      data={collection.variants.map(({ name }) => ({ value: name, label: title(name) }))}
      onChange={(name) => {
        const next = collection.variants.find((one) => one.name === name)
        if (next) router.go(addressOf(fill(next.path, ids), query))
      }}
    />
  )
}

interface EmptyProps {
  readonly collection: Collection
  readonly query: URLSearchParams
  /** There are records, and the page lies past the last of them. */
  readonly isPast: boolean
  onClear(): void
}

function Empty({ collection, query, isPast, onClear }: EmptyProps) {
  const isFiltered = [...query.keys()].some((name) => !['pageNumber', 'pageSize', 'sort'].includes(name))
  const noun = collection.noun.replaceAll('-', ' ')
  return (
    <Center py="xl">
      <Stack align="center" gap="xs">
        <Text fw={500}>
          {isPast
            ? 'There are not so many pages.'
            : isFiltered
              ? `No ${noun} fits these filters.`
              : `There is no ${noun} yet.`}
        </Text>
        {(isFiltered || isPast) && (
          <Button size="xs" variant="default" onClick={onClear}>
            {isPast ? 'To the first page' : 'Clear the filters'}
          </Button>
        )}
      </Stack>
    </Center>
  )
}
