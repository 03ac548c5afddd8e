/** The history of a record as a tab of its page: its entries with pages and filters. */
import { Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { format, text } from '../language/language.ts'
import { FilterBar } from '../list/filter/filter-bar.tsx'
import { PageControls } from '../list/page-controls.tsx'
import { RefreshButton } from '../list/refresh-button.tsx'
import { fill } from '../model/address.ts'
import { entryFrom } from '../model/history/entry.ts'
import { addressOf } from '../model/list/query.ts'
import { problemOf } from '../model/service/problem.ts'
import type { Collection, Variant } from '../model/service/service.ts'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { useList } from '../wire/data.ts'
import { pageQuery } from '../wire/preference.ts'
import { type NavigateOptions, router, useAddress } from '../wire/router.ts'
import { EntryList } from './entry-list.tsx'

interface HistoryViewProps {
  readonly collection: Collection
  readonly variant: Variant
  readonly ids: readonly string[]
}

export default function HistoryView({ collection, variant, ids }: HistoryViewProps) {
  const { query } = useAddress()
  const list = useList({ collection, variant, ids, query: pageQuery(variant, query) })
  const [filter, setFilter] = useState<string>()
  const path = fill(variant.path, ids)
  const go = (next: URLSearchParams, options?: NavigateOptions) => router.go(addressOf(path, next), options)
  const { records, pageInfo } = list.data ?? {}
  if (list.error && problemOf(list.error).status === 403) return <Text size="sm">{text().history.noScope}</Text>
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs" className="record-head">
        <Group gap="sm" align="baseline">
          <Title order={2} size="h5">
            {text().history.title}
          </Title>
          {pageInfo && (
            <Text c="dimmed" size="sm" aria-live="polite">
              {format().number(pageInfo.numberOfRecords)}
            </Text>
          )}
        </Group>
        <RefreshButton list={list} />
      </Group>
      <FilterBar
        collection={collection}
        variant={variant}
        query={query}
        opened={filter}
        onOpened={setFilter}
        onChange={go}
      />
      {list.error && !list.isFetching ? (
        <ProblemAlert error={list.error} onRetry={() => list.refetch()} />
      ) : records ? (
        <EntryList
          list={collection}
          entries={records.map(entryFrom)}
          subject={`${collection.parent?.noun}/${ids.at(-1)}`}
          // A filtered list or a later page may lack newer entries.
          isNewest={[...query.keys()].every((name) => name === 'pageSize')}
        />
      ) : (
        <Skeleton height={160} />
      )}
      {pageInfo && (
        <div className="record-head">
          <PageControls
            collection={collection}
            pageInfo={pageInfo}
            pageSize={variant.pageSize}
            query={query}
            onChange={go}
          />
        </div>
      )}
    </Stack>
  )
}
