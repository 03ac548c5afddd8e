/** The newest changes of all records, from the history of the service. */
import { Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Fragment } from 'react'
import { EntryOrigin } from '../history/entry-origin.tsx'
import { KindBadge } from '../history/kind-badge.tsx'
import { RecordName } from '../history/record-name.tsx'
import { useRecordNames } from '../history/use-record-names.ts'
import { useList } from '../http/queries.ts'
import { text } from '../language/language.ts'
import { type Entry, entryFields, entryFrom, fieldChanges, recordNames } from '../model/history/entry.ts'
import type { Collection } from '../model/service/service.ts'
import { useConsole } from '../state/console-context.ts'
import { Link } from '../view/link.tsx'

const maxEntries = 8
const dayMs = 24 * 60 * 60 * 1000

/** Nothing if the caller must not read the history. */
export function RecentChanges({ collection }: { readonly collection: Collection }) {
  const variant = collection.variants[0] as Collection['variants'][number]
  const pageSize = `${maxEntries}`
  const timeFrom = `${new Date(Date.now() - dayMs).toISOString().slice(0, 10)}T00:00:00Z`
  const request = { collection, variant, ids: [] }
  // The service counts all entries of a list. Those of two days are few, even if the history is long.
  const recentChanges = useList({ ...request, query: new URLSearchParams({ pageSize, timeFrom }) })
  const hasNoRecentChanges = recentChanges.data?.records.length === 0
  const allChanges = useList({ ...request, query: new URLSearchParams({ pageSize }) }, hasNoRecentChanges)
  const list = hasNoRecentChanges ? allChanges : recentChanges
  const entries = list.data?.records.map(entryFrom) ?? []
  const nameRecord = useRecordNames(collection, entries)
  if (list.error) return null
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="recent-changes" className="panel">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5" id="recent-changes">
          {text().overview.recentChanges}
        </Title>
        <Link to={collection.path} size="sm">
          {text().overview.allChanges}
        </Link>
      </Group>
      {!list.data && <Skeleton height={240} />}
      {list.data && entries.length === 0 && <Text size="sm">{text().history.empty}</Text>}
      <ol className="entries recent-changes">
        {entries.map((entry) => (
          <li key={`${entry.id}`} className="recent-change">
            <KindBadge kind={entry.kind} />
            <Stack gap={0} miw={0}>
              <Text component="span" size="sm" className="breaking">
                {recordNames(entry).map((name, index) => (
                  <Fragment key={name}>
                    {index > 0 && ' · '}
                    <RecordName {...nameRecord(entry, name)} />
                  </Fragment>
                ))}
                <ChangedFields entry={entry} />
              </Text>
              <EntryOrigin entry={entry} />
            </Stack>
          </li>
        ))}
      </ol>
    </Paper>
  )
}

/** The titles of the changed fields. */
function ChangedFields({ entry }: { readonly entry: Entry }) {
  const { service } = useConsole()
  if (entry.kind !== 'CHANGED') return null
  const titles = fieldChanges(entry, entryFields(service, entry, undefined)).map(({ field }) => field.title)
  return (
    <Text span size="sm" c="dimmed">
      {' · '}
      {titles.join(', ')}
    </Text>
  )
}
