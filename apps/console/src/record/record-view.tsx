/** One record: its form, and its children as tabs. */
import { Button, Group, Skeleton, Stack, Tabs, Title } from '@mantine/core'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { ActionButtons } from '../action/action-buttons.tsx'
import { text } from '../language/language.ts'
import { ListView } from '../list/list-view.tsx'
import { copyPath, fill, recordPath } from '../model/address.ts'
import { isHistory } from '../model/history/history.ts'
import { formOf, visibleForm } from '../model/record/form.ts'
import { labelOf } from '../model/record/label.ts'
import { isSame, type Values, wholeBody } from '../model/record/values.ts'
import { isObject, type Json } from '../model/service/openapi.ts'
import { problemOf } from '../model/service/problem.ts'
import { isDerived, linkCollectionOf, recordActions, writeCollectionOf } from '../model/service/relation.ts'
import type { Collection, Variant } from '../model/service/service.ts'
import { Icon } from '../view/icon.tsx'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { recordFrom } from '../wire/body.ts'
import { useConsole } from '../wire/console-context.ts'
import { type LoadedRecord, useInvalidate, useRecord } from '../wire/data.ts'
import { router } from '../wire/router.ts'
import { disabledFor, useRefusal } from '../wire/use-refusal.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { DerivedRecordNote } from './derived-note.tsx'
import { RecordForm } from './record-form.tsx'
import { useRecordTitle } from './use-record-title.ts'

const ConflictDialog = lazy(() => import('./conflict-dialog.tsx'))
const DeletedRecord = lazy(() => import('../history/deleted-record.tsx'))
const EntryView = lazy(() => import('../history/entry-view.tsx'))
const HistoryView = lazy(() => import('../history/history-view.tsx'))

/** The value of the details tab. No collection starts with a tilde. */
const details = '~details'

interface RecordViewProps {
  readonly collection: Collection
  readonly ids: readonly string[]
  /** The child list to show (default: the form). */
  readonly child?: { readonly collection: Collection; readonly variant: Variant }
}

export function RecordView({ collection, ids, child }: RecordViewProps) {
  const query = useRecord(collection, ids)
  const title = useRecordTitle(collection, query.data?.record)
  const [isDeleting, setDeleting] = useState(false)
  const refusalOf = useRefusal()
  const writeCollection = writeCollectionOf(collection)
  const children = collection.children.filter(({ variants }) => variants.length > 0)
  const path = recordPath(collection, ids)
  const retry = () => query.refetch()
  // Unsaved input stays visible, even if the record is gone.
  if (query.error && problemOf(query.error).status === 404 && !router.isGuarded())
    return <DeletedRecord collection={collection} ids={ids} error={query.error} />
  if (query.error && !query.data) return <ProblemAlert error={query.error} onRetry={retry} />
  // A linked record has its own path. Here the user can only remove the link, so Duplicate and Delete are hidden.
  const isLink = linkCollectionOf(collection) !== undefined
  const writeIds = writeCollection === collection ? ids : ids.slice(-1)
  return (
    <Stack gap="md" className={child ? undefined : 'record'}>
      <Group justify="space-between" gap="xs">
        {title === undefined ? (
          <Skeleton height={24} width={240} />
        ) : (
          <Title order={1} size="h3">
            {title}
          </Title>
        )}
        {!child && (
          <Group gap="xs">
            <ActionButtons
              actions={recordActions(collection).map(({ owner, action }) => ({
                api: owner.api,
                action,
                ids: owner === collection ? ids : ids.slice(-1),
                subject: title,
                etag: owner === collection ? query.data?.etag : undefined,
              }))}
            />
            {writeCollection.operations.create && !isLink && (
              <Button
                size="xs"
                variant="default"
                leftSection={<Icon name="copy" size={14} />}
                {...disabledFor(refusalOf(writeCollection.api, writeCollection.operations.create))}
                onClick={() => router.go(copyPath(collection, ids))}
              >
                {text().record.duplicate}
              </Button>
            )}
            {writeCollection.operations.delete && !isLink && (
              <Button
                size="xs"
                variant="default"
                leftSection={<Icon name="trash" size={14} />}
                {...disabledFor(refusalOf(writeCollection.api, writeCollection.operations.delete))}
                onClick={() => setDeleting(true)}
              >
                {text().common.deleteMenu}
              </Button>
            )}
          </Group>
        )}
      </Group>
      {children.length > 0 && (
        <Tabs
          value={child?.collection.segment ?? details}
          onChange={(next) => router.go(next === details ? path : `${path}/${next}`)}
          keepMounted={false}
        >
          <Tabs.List>
            <Tabs.Tab value={details}>{text().common.details}</Tabs.Tab>
            {children.map((tab) => (
              <Tabs.Tab key={tab.key} value={tab.segment}>
                {isHistory(tab) ? text().history.title : tab.plural}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={child?.collection.segment ?? details} pt="md">
            {child && isHistory(child.collection) ? (
              <HistoryView collection={child.collection} variant={child.variant} ids={ids} />
            ) : child ? (
              <ListView collection={child.collection} variant={child.variant} ids={ids} isNested />
            ) : (
              <Details collection={collection} writeCollection={writeCollection} ids={ids} loaded={query.data} />
            )}
          </Tabs.Panel>
        </Tabs>
      )}
      {children.length === 0 && (
        <Details collection={collection} writeCollection={writeCollection} ids={ids} loaded={query.data} />
      )}
      {isDeleting && (
        <DeleteDialog
          writeCollection={writeCollection}
          ids={writeIds}
          onClose={() => setDeleting(false)}
          onDeleted={() => router.go(fill(collection.path, ids.slice(0, -1)), { replaceHistory: true })}
        />
      )}
    </Stack>
  )
}

interface DetailsProps {
  readonly collection: Collection
  readonly writeCollection: Collection
  readonly ids: readonly string[]
  readonly loaded: LoadedRecord | undefined
}

/** If writes use another path, the record is loaded from that path: ETags differ between paths. */
function Details({ collection, writeCollection, ids, loaded }: DetailsProps) {
  const writeIds = writeCollection === collection ? ids : ids.slice(-1)
  const writeRecord = useRecord(writeCollection, writeIds, writeCollection !== collection)
  const shown = writeCollection === collection ? loaded : (writeRecord.data ?? (writeRecord.error ? loaded : undefined))
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
  const { service, wire, notify } = useConsole()
  const invalidate = useInvalidate()
  const refusalOf = useRefusal()
  // Changes by others must not replace unsaved input.
  const [base, setBase] = useState(loaded)
  const { fields, managed, operation } = useMemo(
    () => visibleForm(formOf(writeCollection, 'change'), base.record),
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
      const body = wholeBody(fields, values)
      const method = operation.method as 'PUT' | 'PATCH'
      const saved = await wire.send({
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
  /** Shows the saved values beside those of the form after a conflict. */
  const compare = async (values: Values, caught: unknown) => {
    try {
      const { body, etag } = await wire.send({ base: writeCollection.api.base, method: 'GET', path })
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
