/** One entry of the history: kind, record, origin and values, with the ways back to an earlier state. */
import { Button, Group, Paper, Stack } from '@mantine/core'
import { useState } from 'react'
import { text } from '../language/language.ts'
import { type Entry, isLinkEntry, locate, recordNames } from '../model/history/entry.ts'
import { canReadPast } from '../model/history/history.ts'
import type { Field } from '../model/record/field.ts'
import { formOf } from '../model/record/form.ts'
import type { Collection } from '../model/service/service.ts'
import { useConsole } from '../state/console-context.ts'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { EntryOrigin } from './entry-origin.tsx'
import { EntryValues } from './entry-values.tsx'
import { KindBadge } from './kind-badge.tsx'
import { RecordName } from './record-name.tsx'
import { type Earlier, RestoreDialog } from './restore-dialog.tsx'
import type { NameRecord } from './use-record-names.ts'
import { useRestore, writeLocation } from './use-restore.ts'

interface EntryCardProps {
  readonly entry: Entry
  /** The list of the entries. */
  readonly list: Collection
  readonly nameRecord: NameRecord
  /** The record that the page is about, such as `user/7`: only entries of other records show a name. */
  readonly subject?: string
  /** Whether it is the newest entry of its record; undefined if that is not known. */
  readonly isLatest: boolean | undefined
  /** Whether the card only shows the entry, without the ways back. */
  readonly isReadOnly?: boolean
}

export function EntryCard({ entry, list, nameRecord, subject, isLatest, isReadOnly = false }: EntryCardProps) {
  const { service } = useConsole()
  const { history } = text()
  const [earlier, setEarlier] = useState<Earlier>()
  const location = isLinkEntry(entry) ? undefined : locate(service, list.api, entry.record, entry.linked)
  const target = location && !isReadOnly ? writeLocation(location) : undefined
  const form = target && formOf(target.collection, 'change')
  const restoration = useRestore(entry.kind === 'DELETED' && isLatest !== false ? target : undefined)
  const hasVersion = (entry.kind === 'CREATED' || entry.kind === 'CHANGED') && isLatest !== true
  const restoreOf = (field: Field) =>
    form?.operation && form.fields.some(({ name }) => name === field.name) && field.name in entry.before
      ? () => setEarlier({ values: { [field.name]: entry.before[field.name] } })
      : undefined
  return (
    <Paper withBorder p="sm" className="sheet">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <KindBadge kind={entry.kind} />
            {recordNames(entry)
              .filter((name) => name !== subject)
              .map((name) => (
                <RecordName key={name} {...nameRecord(entry, name)} />
              ))}
          </Group>
          <EntryOrigin entry={entry} />
        </Group>
        {restoration?.error ? <ProblemAlert error={restoration.error} /> : null}
        <EntryValues entry={entry} collection={location?.collection} list={list} restoreOf={restoreOf} />
        {hasVersion && target && form?.operation && canReadPast(target.collection) && (
          <Group justify="flex-end">
            <Button size="compact-xs" variant="default" onClick={() => setEarlier({ at: entry.time })}>
              {history.restoreVersion}
            </Button>
          </Group>
        )}
        {restoration && (
          <Group justify="flex-end">
            <Button size="xs" loading={restoration.isBusy} onClick={restoration.restore}>
              {history.restoreButton}
            </Button>
          </Group>
        )}
      </Stack>
      {earlier && target && <RestoreDialog location={target} earlier={earlier} onClose={() => setEarlier(undefined)} />}
    </Paper>
  )
}
