/** Shows the record before it is deleted, and offers to create it again after. */
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { recordPath } from '../model/address.ts'
import { labelOf } from '../model/record/label.ts'
import type { Collection } from '../model/service/service.ts'
import { Dialog } from '../view/dialog.tsx'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { useConsole } from '../wire/console-context.ts'
import { useRecord, useStale } from '../wire/data.ts'
import { RecordFacts } from './record-facts.tsx'
import { recreateWords, useRecreate } from './use-recreate.ts'

interface DeleteDialogProps {
  readonly writer: Collection
  readonly ids: readonly unknown[]
  onClose(): void
  /** Where it was shown, it is no more. */
  onDeleted?(): void
}

export function DeleteDialog({ writer, ids, onClose, onDeleted }: DeleteDialogProps) {
  const { service, wire, say } = useConsole()
  const stale = useStale()
  const recreate = useRecreate(writer)
  const held = useRecord(writer, ids)
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const noun = writer.noun.replaceAll('-', ' ')
  const record = held.data?.record
  const remove = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const etag = held.data?.etag
      await wire.send({
        base: writer.api.base,
        method: 'DELETE',
        path: recordPath(writer, ids),
        ...(etag !== undefined && { headers: { 'if-match': etag } }),
      })
      onDeleted?.()
      onClose()
      await stale(writer)
      const name = record ? labelOf(service, writer, record) : ids.at(-1)
      say({ text: `${name} is deleted.`, ...recreate(record ? [{ ids, record }] : []) })
    } catch (caught) {
      setError(caught)
      setBusy(false)
      held.refetch()
    }
  }
  return (
    <Dialog onClose={onClose} title={`Delete this ${noun}?`} size="lg">
      <Stack>
        {error !== undefined && <ProblemAlert error={error} />}
        {held.error ? (
          <ProblemAlert error={held.error} />
        ) : record ? (
          <RecordFacts api={writer.api} record={record} fields={writer.fields} />
        ) : (
          <Skeleton height={120} />
        )}
        <Text size="sm" c="dimmed">
          {recreateWords(writer, true)}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button color="red.9" loading={isBusy} disabled={!record} onClick={remove}>
            Delete
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
