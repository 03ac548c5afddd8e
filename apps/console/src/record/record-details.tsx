/** The form of a record, saved with its ETag: after a conflict, it shows the saved values beside those of the form. */
import { Skeleton, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type LoadedRecord, recordQuery, useInvalidate, useRecord } from '../http/queries.ts'
import { recordFrom } from '../http/response-body.ts'
import { useRefusal } from '../http/use-refusal.ts'
import { text } from '../language/language.ts'
import { isHistory } from '../model/history/history.ts'
import { loadedForm } from '../model/record/form.ts'
import { labelOf } from '../model/record/label.ts'
import { changedBody, isSame, type Values } from '../model/record/values.ts'
import { recordPath } from '../model/route.ts'
import { isObject, type Json } from '../model/service/openapi.ts'
import { problemOf } from '../model/service/problem.ts'
import { isDerived } from '../model/service/relation.ts'
import type { Collection } from '../model/service/service.ts'
import { useConsole } from '../state/console-context.ts'
import { DerivedRecordNote } from './derived-note.tsx'
import { RecordForm } from './record-form.tsx'

const ConflictDialog = lazy(() => import('./conflict-dialog.tsx'))
const EntryView = lazy(() => import('../history/entry-view.tsx'))

interface DetailsProps {
  readonly collection: Collection
  readonly writeCollection: Collection
  readonly ids: readonly string[]
  readonly loaded: LoadedRecord | undefined
  /** The error of the request for the record, if there is nothing to show instead. */
  readonly error?: unknown
}

/** If writes use another path, the record is loaded from that path: ETags differ between paths. */
export function RecordDetails({ collection, writeCollection, ids, loaded, error }: DetailsProps) {
  const writeIds = writeCollection === collection ? ids : ids.slice(-1)
  const writeRecord = useRecord(writeCollection, writeIds, { isEnabled: writeCollection !== collection })
  const shown = writeCollection === collection ? loaded : (writeRecord.data ?? (writeRecord.error ? loaded : undefined))
  if (!shown && error) return <Text size="sm">{problemOf(error).detail}</Text>
  if (!shown) return <Skeleton height={220} />
  if (isHistory(collection)) return <EntryView collection={collection} record={shown.record} />
  return (
    <>
      {isDerived(collection) && <DerivedRecordNote collection={collection} id={ids.at(-1)} />}
      <Form
        key={`${writeCollection.key} ${writeIds}`}
        writeCollection={writeCollection}
        ids={writeIds}
        loaded={shown}
      />
    </>
  )
}

function Form({
  writeCollection,
  ids,
  loaded,
}: {
  readonly writeCollection: Collection
  readonly ids: readonly string[]
  readonly loaded: LoadedRecord
}) {
  const { service, http, notify } = useConsole()
  const invalidate = useInvalidate()
  const queries = useQueryClient()
  const refusalOf = useRefusal()
  // Changes by others must not replace unsaved input.
  const [base, setBase] = useState(loaded)
  const { fields, managed, operation } = useMemo(
    () => loadedForm(writeCollection, base.record),
    [writeCollection, base.record],
  )
  const refusal = refusalOf(writeCollection.api, operation)
  const isDirty = useRef(false)
  const noteDirty = useCallback((is: boolean) => {
    isDirty.current = is
  }, [])
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const [conflict, setConflict] = useState<{ readonly values: Values; readonly theirs: LoadedRecord }>()
  const path = recordPath(writeCollection, ids)
  // Without unsaved input the form shows the saved values.
  useEffect(() => {
    if (!isDirty.current) setBase((before) => (isSame(before, loaded) ? before : loaded))
  }, [loaded])
  const save = async (values: Values, etag = base.etag) => {
    if (!operation) return
    setBusy(true)
    setError(undefined)
    try {
      const body = changedBody(fields, values, base.record)
      const method = operation.method as 'PUT' | 'PATCH'
      const saved = await http.send({
        base: writeCollection.api.base,
        method,
        path,
        body,
        ...(etag !== undefined && { headers: { 'if-match': etag } }),
      })
      setConflict(undefined)
      setBase({
        record: isObject(saved.body) ? recordFrom(writeCollection, saved.body) : { ...base.record, ...body },
        etag: saved.etag,
      })
      await invalidate(writeCollection)
      const record = isObject(saved.body) ? recordFrom(writeCollection, saved.body) : (values as Json)
      notify({ text: text().record.saved(labelOf(service, writeCollection, record)) })
    } catch (caught) {
      if (problemOf(caught).status === 412) await compare(values, caught)
      else {
        setConflict(undefined)
        setError(caught)
      }
    } finally {
      setBusy(false)
    }
  }
  /** Shows the saved values, which others may have changed since the form loaded them. */
  const discard = async () => {
    setError(undefined)
    // Without a response, the form shows the values that it loaded.
    const saved = await queries
      .fetchQuery({ ...recordQuery(http, writeCollection, ids), staleTime: 0 })
      .catch(() => undefined)
    if (saved && !isDirty.current) setBase(saved)
  }
  /** Shows the saved values beside those of the form after a conflict. */
  const compare = async (values: Values, caught: unknown) => {
    try {
      const { body, etag } = await http.send({ base: writeCollection.api.base, method: 'GET', path })
      setConflict({ values, theirs: { record: recordFrom(writeCollection, body), etag } })
    } catch {
      setError(caught)
    }
  }
  return (
    <>
      <RecordForm
        collection={writeCollection}
        fields={fields}
        managed={managed}
        record={base.record}
        isNew={false}
        canSave={operation !== undefined}
        refusal={refusal}
        error={error}
        isBusy={isBusy}
        onSave={save}
        onDiscard={discard}
        onTyped={noteDirty}
      />
      {conflict && (
        <Suspense>
          <ConflictDialog
            collection={writeCollection}
            ids={ids}
            fields={fields}
            base={base.record}
            mine={conflict.values}
            theirs={conflict.theirs.record}
            isBusy={isBusy}
            onSave={(values) => save(values, conflict.theirs.etag)}
            onTake={() => {
              setBase(conflict.theirs)
              setConflict(undefined)
            }}
            onClose={() => setConflict(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
