/** Entries of the history below each other, newest first. */
import { Stack, Text } from '@mantine/core'
import { text } from '../language/language.ts'
import type { Entry } from '../model/history/entry.ts'
import type { Collection } from '../model/service/service.ts'
import { EntryCard } from './entry-card.tsx'
import { useRecordNames } from './use-record-names.ts'

interface EntryListProps {
  /** The collection of the entries. */
  readonly list: Collection
  readonly entries: readonly Entry[]
  /** The record that the page is about, such as `user/7`. */
  readonly subject: string
  /** Whether the list starts with the newest entries of all. */
  readonly isNewest: boolean
  readonly isReadOnly?: boolean
}

export function EntryList({ list, entries, subject, isNewest, isReadOnly = false }: EntryListProps) {
  const nameRecord = useRecordNames(list, entries)
  if (entries.length === 0) return <Text size="sm">{text().history.empty}</Text>
  return (
    <Stack component="ol" gap="xs" className="entries">
      {entries.map((entry, index) => {
        const hasNewer = entries
          .slice(0, index)
          .some(({ record, linked }) => record === entry.record && linked === entry.linked)
        return (
          <li key={`${entry.id}`}>
            <EntryCard
              entry={entry}
              list={list}
              nameRecord={nameRecord}
              subject={subject}
              isLatest={hasNewer ? false : isNewest || undefined}
              isReadOnly={isReadOnly}
            />
          </li>
        )
      })}
    </Stack>
  )
}
