/** The form of a new record, with references to its parents filled in. */
import { Skeleton, Stack, Text, Title } from '@mantine/core'
import { lazy, Suspense, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useRecord } from '../http/queries.ts'
import { useRefusal } from '../http/use-refusal.ts'
import { text } from '../language/language.ts'
import { formOf } from '../model/record/form.ts'
import { labelOf } from '../model/record/label.ts'
import { copiedValues, initialValues, sharedValues, type Values } from '../model/record/values.ts'
import { fill, recordPath } from '../model/route.ts'
import type { Json } from '../model/service/openapi.ts'
import { writeCollectionOf } from '../model/service/relation.ts'
import { type Collection, idOf } from '../model/service/service.ts'
import { nounText } from '../model/title.ts'
import { secretsIn } from '../model/webhook.ts'
import { useConsole } from '../state/console-context.ts'
import { router, useAddress } from '../state/router.ts'
import { isOnTop } from '../view/dialog/top-dialog.ts'
import { Link } from '../view/link.tsx'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { RecordForm } from './record-form.tsx'
import { useCreate } from './use-create.ts'

const SecretDialog = lazy(() => import('../view/secret.tsx'))

interface CreateViewProps {
  readonly collection: Collection
  readonly ids: readonly string[]
}

/** The inputs of a form for text and choices. */
const inputSelector = ':is(input:not([type="hidden"], [type="checkbox"]), textarea):enabled'

/** An empty form, or one with the values of the record in `?from=`. */
export function CreateView({ collection, ids }: CreateViewProps) {
  const { service } = useConsole()
  const from = useAddress().query.get('from')
  const writeCollection = writeCollectionOf(collection)
  const { data, error } = useRecord(writeCollection, writeCollection === collection ? [...ids, from] : [from], {
    isEnabled: from !== null,
  })
  if (from === null) return <NewRecord collection={collection} ids={ids} initial={{}} />
  if (error) return <ProblemAlert error={error} />
  if (!data) return <Skeleton height={220} />
  const initial = copiedValues(formOf(writeCollection, 'create').fields, data.record, writeCollection.identity)
  const source = { path: recordPath(collection, [...ids, from]), label: labelOf(service, writeCollection, data.record) }
  return <NewRecord key={from} collection={collection} ids={ids} initial={initial} source={source} />
}

interface NewRecordProps extends CreateViewProps {
  readonly initial: Values
  /** The record that is copied. */
  readonly source?: { readonly path: string; readonly label: string }
}

function NewRecord({ collection, ids, initial, source }: NewRecordProps) {
  const { service, notify } = useConsole()
  const writeCollection = writeCollectionOf(collection)
  const { fields, operation } = useMemo(() => formOf(writeCollection, 'create'), [writeCollection])
  const parents = useMemo(() => parentsOf(collection, ids, fields), [collection, ids, fields])
  const [initialInput, setInitialInput] = useState(() => initialValues(fields, { ...initial, ...parents }))
  const path = fill(writeCollection.path, writeCollection === collection ? ids : [])
  const { create, error, isBusy } = useCreate({ collection: writeCollection, path, fields, fixed: parents })
  /** A secret of the new record, which the service does not show again. */
  const [shown, setShown] = useState<{ readonly title: string; readonly value: string; leave(): void }>()
  const sheet = useRef<HTMLDivElement>(null)
  // The focus goes to the first empty input, unless a dialog was opened meanwhile.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each new record
  useLayoutEffect(() => {
    if (!isOnTop(sheet.current)) return
    const inputs = sheet.current?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(inputSelector) ?? []
    ;[...inputs].find(({ value }) => value === '')?.focus()
  }, [initialInput])
  const addressOf = (record: Json) => {
    const id = idOf(collection, record) ?? idOf(writeCollection, record)
    return id === undefined ? fill(collection.path, ids) : recordPath(collection, [...ids, id])
  }
  const save = async (values: Values) => {
    const record = await create(values)
    if (!record) return
    notify({ text: text().record.created(labelOf(service, writeCollection, record)) })
    const [secret] = secretsIn(record)
    const leave = () => router.go(addressOf(record), { replaceHistory: true, discardChanges: true })
    if (secret) setShown({ ...secret, title: labelOf(service, writeCollection, record), leave })
    else leave()
  }
  const saveMore = async (values: Values) => {
    const record = await create(values)
    if (!record) return
    const action = { title: text().common.open, run: () => router.go(addressOf(record)) }
    notify({ text: text().record.createdAddNext(labelOf(service, writeCollection, record)), action })
    setInitialInput(initialValues(fields, { ...sharedValues(fields, values), ...parents }))
  }
  return (
    <Stack gap="md" ref={sheet} className="record">
      <Title order={1} size="h3">
        {text().record.newRecord(nounText(collection))}
      </Title>
      {source && (
        <Text size="sm">
          {text().record.copyOf}{' '}
          <Link to={source.path} go={(to) => router.openRecord(to)} underline="always" size="sm">
            {source.label}
          </Link>
        </Text>
      )}
      <RecordForm
        collection={writeCollection}
        fields={fields}
        managed={[]}
        record={initialInput}
        isNew
        canSave
        refusal={useRefusal()(writeCollection.api, operation)}
        error={error}
        isBusy={isBusy}
        onSave={save}
        onSaveMore={saveMore}
      />
      {shown && (
        <Suspense>
          <SecretDialog title={text().webhook.secretTitle(shown.title)} value={shown.value} onClose={shown.leave} />
        </Suspense>
      )}
    </Stack>
  )
}

/** The IDs of the path as values of the fields that reference those records. */
function parentsOf(
  collection: Collection,
  ids: readonly string[],
  fields: readonly { readonly name: string; readonly reference: string | undefined; readonly isNumeric: boolean }[],
): Values {
  const values: { [name: string]: unknown } = {}
  let above = collection.parent
  for (const id of ids.toReversed()) {
    const field = fields.find(({ reference }) => reference !== undefined && reference === above?.noun)
    if (field) values[field.name] = field.isNumeric ? Number(id) : id
    above = above?.parent
  }
  return values
}
