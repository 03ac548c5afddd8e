/** Shows earlier values beside the present ones, and writes them back by PATCH. */
import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useInvalidate, useRecord } from '../http/queries.ts'
import { recordFrom } from '../http/response-body.ts'
import { text } from '../language/language.ts'
import type { RecordLocation } from '../model/history/entry.ts'
import { formOf, visibleForm } from '../model/record/form.ts'
import { labelOf } from '../model/record/label.ts'
import { isSame, type Values, wholeBody } from '../model/record/values.ts'
import { recordPath } from '../model/route.ts'
import { ComparisonTable } from '../record/comparison-table.tsx'
import { useConsole } from '../state/console-context.ts'
import { Dialog } from '../view/dialog/dialog.tsx'
import { DialogButtons } from '../view/dialog/dialog-buttons.tsx'
import { ProblemAlert } from '../view/problem-alert.tsx'

/** The values to restore: these values, or those that the record had at a time. */
export type Earlier = { readonly values: Values } | { readonly at: string }

interface RestoreDialogProps {
  /** The record at the path where it is written. */
  readonly location: RecordLocation
  readonly earlier: Earlier
  onClose(): void
}

export function RestoreDialog({ location: { collection, ids }, earlier, onClose }: RestoreDialogProps) {
  const { service, http, notify } = useConsole()
  const invalidate = useInvalidate()
  const current = useRecord(collection, ids)
  const past = useEarlierValues({ collection, ids }, earlier)
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const { record, etag } = current.data ?? {}
  const { fields } = visibleForm(formOf(collection, 'change'), record ?? {})
  const values = past.data
  const changedFields =
    record && values ? fields.filter(({ name }) => name in values && !isSame(values[name], record[name])) : []
  const restoredValues = Object.fromEntries(changedFields.map(({ name }) => [name, values?.[name]]))
  const failure = error ?? current.error ?? past.error
  const save = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const isPatch = collection.operations.update !== undefined
      const { body } = await http.send({
        base: collection.api.base,
        method: isPatch ? 'PATCH' : 'PUT',
        path: recordPath(collection, ids),
        body: isPatch ? restoredValues : wholeBody(fields, { ...record, ...restoredValues }),
        ...(etag !== undefined && { headers: { 'if-match': etag } }),
      })
      onClose()
      await invalidate(collection)
      const saved = body === null ? { ...record, ...restoredValues } : recordFrom(collection, body)
      notify({ text: text().history.restored(labelOf(service, collection, saved)) })
    } catch (saveError) {
      setError(saveError)
      setBusy(false)
      current.refetch()
    }
  }
  const { history } = text()
  return (
    <Dialog onClose={onClose} title={history.restoreTitle} size="lg">
      <Stack>
        {failure ? <ProblemAlert error={failure} /> : null}
        {!record || !values ? (
          !failure && <Skeleton height={80} />
        ) : changedFields.length === 0 ? (
          <Text size="sm">{history.restoreNothing}</Text>
        ) : (
          <ComparisonTable
            api={collection.api}
            fields={changedFields}
            states={[
              { title: history.now, values: record },
              { title: history.restoredValue, values: restoredValues },
            ]}
            withTableBorder
          />
        )}
        <DialogButtons onClose={onClose} isCancelFocused>
          <Button loading={isBusy} disabled={changedFields.length === 0} onClick={save}>
            {history.restoreButton}
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

function useEarlierValues({ collection, ids }: RecordLocation, earlier: Earlier) {
  const { http } = useConsole()
  const at = 'at' in earlier ? earlier.at : undefined
  const { base } = collection.api
  const path = recordPath(collection, ids)
  const query = useQuery({
    queryKey: [collection.noun, 'past', base, path, at],
    queryFn: async ({ signal }): Promise<Values> => {
      const parameters = new URLSearchParams({ at: `${at}` })
      return recordFrom(collection, (await http.send({ base, method: 'GET', path, query: parameters, signal })).body)
    },
    enabled: at !== undefined,
  })
  return 'values' in earlier ? { data: earlier.values, error: null } : query
}
