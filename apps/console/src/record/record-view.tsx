/** One record: its form, and what stands below it as tabs. */
import { Button, Group, Skeleton, Stack, Tabs, Title } from '@mantine/core'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { ActionButtons } from '../action/action-buttons.tsx'
import { ListView } from '../list/list-view.tsx'
import { copyPath, fill, recordPath } from '../model/address.ts'
import { formOf } from '../model/record/form.ts'
import { labelOf } from '../model/record/label.ts'
import { isSame, type Values, wholeBody } from '../model/record/values.ts'
import { isObject, type Json } from '../model/service/openapi.ts'
import { problemOf } from '../model/service/problem.ts'
import { type Collection, linkerOf, recordActions, type Variant, writerOf } from '../model/service/service.ts'
import { Icon } from '../view/icon.tsx'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { useConsole } from '../wire/console-context.ts'
import { type Held, recordFrom, useRecord, useStale } from '../wire/data.ts'
import { router } from '../wire/router.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { RecordForm } from './record-form.tsx'

const ConflictDialog = lazy(() => import('./conflict-dialog.tsx'))

/** The name of the tab that is no collection: none begins so. */
const details = '~details'

interface RecordViewProps {
  readonly collection: Collection
  readonly ids: readonly string[]
  /** The list below it that is shown; its form unless given. */
  readonly child?: { readonly collection: Collection; readonly variant: Variant }
}

export function RecordView({ collection, ids, child }: RecordViewProps) {
  const { service } = useConsole()
  const held = useRecord(collection, ids)
  const [isDeleting, setDeleting] = useState(false)
  const writer = writerOf(collection)
  const children = collection.children.filter(({ variants }) => variants.length > 0)
  const own = recordPath(collection, ids)
  if (held.error && !held.data) return <ProblemAlert error={held.error} onRetry={() => held.refetch()} />
  const title = held.data ? labelOf(service, collection, held.data.record) : undefined
  // What is linked here is another's: it is unlinked, not deleted.
  const isLink = linkerOf(collection) !== undefined
  const writerIds = writer === collection ? ids : ids.slice(-1)
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs" className={child ? undefined : 'record-head'}>
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
                etag: owner === collection ? held.data?.etag : undefined,
              }))}
            />
            {writer.operations.create && !isLink && (
              <Button
                size="xs"
                variant="default"
                leftSection={<Icon sign="copy" size={14} />}
                onClick={() => router.go(copyPath(collection, ids))}
              >
                Duplicate
              </Button>
            )}
            {writer.operations.delete && !isLink && (
              <Button
                size="xs"
                variant="default"
                leftSection={<Icon sign="trash" size={14} />}
                onClick={() => setDeleting(true)}
              >
                Delete …
              </Button>
            )}
          </Group>
        )}
      </Group>
      {children.length > 0 && (
        <Tabs
          value={child?.collection.segment ?? details}
          onChange={(next) => router.go(next === details ? own : `${own}/${next}`)}
          keepMounted={false}
        >
          <Tabs.List>
            <Tabs.Tab value={details}>Details</Tabs.Tab>
            {children.map((one) => (
              <Tabs.Tab key={one.key} value={one.segment}>
                {one.title}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={child?.collection.segment ?? details} pt="md">
            {child ? (
              <ListView collection={child.collection} variant={child.variant} ids={ids} isNested />
            ) : (
              <Details collection={collection} writer={writer} ids={ids} held={held.data} />
            )}
          </Tabs.Panel>
        </Tabs>
      )}
      {children.length === 0 && <Details collection={collection} writer={writer} ids={ids} held={held.data} />}
      {isDeleting && (
        <DeleteDialog
          writer={writer}
          ids={writerIds}
          onClose={() => setDeleting(false)}
          onDeleted={() => router.go(fill(collection.path, ids.slice(0, -1)), { isReplaced: true })}
        />
      )}
    </Stack>
  )
}

interface DetailsProps {
  readonly collection: Collection
  readonly writer: Collection
  readonly ids: readonly string[]
  readonly held: Held | undefined
}

/** Written at another path than it is read at, it is read there as well: its tag is another. */
function Details({ collection, writer, ids, held }: DetailsProps) {
  const writerIds = writer === collection ? ids : ids.slice(-1)
  const there = useRecord(writer, writerIds, writer !== collection)
  const shown = writer === collection ? held : (there.data ?? (there.error ? held : undefined))
  if (!shown) return <Skeleton height={220} />
  return <Form key={`${writer.key} ${writerIds}`} writer={writer} ids={writerIds} held={shown} />
}

function Form({
  writer,
  ids,
  held,
}: {
  readonly writer: Collection
  readonly ids: readonly string[]
  readonly held: Held
}) {
  const { service, wire, say } = useConsole()
  const stale = useStale()
  const { fields, managed, operation } = useMemo(() => formOf(writer, 'change'), [writer])
  // What others change meanwhile must not take away what someone is typing.
  const [base, setBase] = useState(held)
  const isTyped = useRef(false)
  const noteTyped = useCallback((is: boolean) => {
    isTyped.current = is
  }, [])
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const [conflict, setConflict] = useState<{ readonly values: Values; readonly theirs: Held }>()
  const path = recordPath(writer, ids)
  // Where nothing is typed, what is stored now is shown.
  useEffect(() => {
    if (!isTyped.current) setBase((before) => (isSame(before, held) ? before : held))
  }, [held])
  const save = async (values: Values, etag = base.etag) => {
    if (!operation) return
    setBusy(true)
    setError(undefined)
    try {
      const body = wholeBody(fields, values)
      const method = operation.method as 'PUT' | 'PATCH'
      const saved = await wire.send({
        base: writer.api.base,
        method,
        path,
        body,
        ...(etag !== undefined && { headers: { 'if-match': etag } }),
      })
      setConflict(undefined)
      setBase({
        record: isObject(saved.body) ? recordFrom(writer, saved.body) : { ...base.record, ...body },
        etag: saved.etag,
      })
      await stale(writer)
      say({
        text: `${labelOf(service, writer, isObject(saved.body) ? recordFrom(writer, saved.body) : (values as Json))} is saved.`,
      })
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
  /** Someone else has changed it: what they made of it is shown beside what is in the form. */
  const compare = async (values: Values, caught: unknown) => {
    try {
      const { body, etag } = await wire.send({ base: writer.api.base, method: 'GET', path })
      setConflict({ values, theirs: { record: recordFrom(writer, body), etag } })
    } catch {
      setError(caught)
    }
  }
  return (
    <>
      <RecordForm
        collection={writer}
        fields={fields}
        managed={managed}
        record={base.record}
        isNew={false}
        canSave={operation !== undefined}
        error={error}
        isBusy={isBusy}
        onSave={save}
        onTyped={noteTyped}
      />
      {conflict && (
        <Suspense>
          <ConflictDialog
            collection={writer}
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
