/** Says what a delete affects before it, and offers Undo afterwards. */
import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useInvalidate, useRecord } from '../../http/queries.ts'
import { text } from '../../language/language.ts'
import { plainTitle } from '../../model/record/label.ts'
import { recordPath } from '../../model/route.ts'
import type { Collection } from '../../model/service/service.ts'
import { nounText } from '../../model/title.ts'
import { useConsole } from '../../state/console-context.ts'
import { Dialog } from '../../view/dialog/dialog.tsx'
import { DialogButtons } from '../../view/dialog/dialog-buttons.tsx'
import { ProblemAlert } from '../../view/problem-alert.tsx'
import { useRecordTitle } from '../use-record-title.ts'
import { DependentsList } from './dependents-list.tsx'
import { deleteWarning, useRecreate } from './use-recreate.ts'

interface DeleteDialogProps {
  readonly writeCollection: Collection
  readonly ids: readonly unknown[]
  onClose(): void
  /** Called after the delete. */
  onDeleted?(): void
}

export function DeleteDialog({ writeCollection, ids, onClose, onDeleted }: DeleteDialogProps) {
  const { http, notify } = useConsole()
  const invalidate = useInvalidate()
  const recreate = useRecreate(writeCollection)
  const query = useRecord(writeCollection, ids)
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const record = query.data?.record
  // Some services do not read a single record.
  const isListed = writeCollection.operations.read === undefined
  const isLoaded = record !== undefined || (isListed && !query.isLoading)
  const name = useRecordTitle(writeCollection, record) ?? plainTitle(writeCollection, ids.at(-1))
  const remove = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const etag = query.data?.etag
      await http.send({
        base: writeCollection.api.base,
        method: 'DELETE',
        path: recordPath(writeCollection, ids),
        ...(etag !== undefined && { headers: { 'if-match': etag } }),
      })
      onDeleted?.()
      onClose()
      await invalidate(writeCollection)
      notify({ text: text().record.deleted(name), ...recreate(record ? [{ ids, record }] : []) })
    } catch (caught) {
      setError(caught)
      setBusy(false)
      if (record) query.refetch()
    }
  }
  return (
    <Dialog onClose={onClose} title={text().record.deleteQuestion(nounText(writeCollection), name)} size="md">
      <Stack>
        {error !== undefined && <ProblemAlert error={error} />}
        {query.error && !isListed ? (
          <ProblemAlert error={query.error} />
        ) : isLoaded ? (
          <DependentsList collection={writeCollection} ids={[ids]} />
        ) : (
          <Skeleton height={40} />
        )}
        <Text size="sm" c="dimmed">
          {deleteWarning(writeCollection, 1)}
        </Text>
        <DialogButtons onClose={onClose} isCancelFocused>
          <Button color="red.9" loading={isBusy} disabled={!isLoaded} onClick={remove}>
            {text().common.delete}
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}
