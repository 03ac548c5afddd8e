/** A new record: POST, with the records above it filled in where the body names them. */
import { Skeleton, Stack, Title } from '@mantine/core'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { fill, recordPath } from '../model/address.ts'
import { formOf } from '../model/record/form.ts'
import { labelOf } from '../model/record/label.ts'
import { copiedValues, initialValues, newBody, sharedValues, type Values } from '../model/record/values.ts'
import type { Json } from '../model/service/openapi.ts'
import { type Collection, idOf, writerOf } from '../model/service/service.ts'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { useConsole } from '../wire/console-context.ts'
import { recordFrom, useRecord, useStale } from '../wire/data.ts'
import { router, useAddress } from '../wire/router.ts'
import { useRepeatKey } from '../wire/use-repeat-key.ts'
import { RecordForm } from './record-form.tsx'

interface CreateViewProps {
  readonly collection: Collection
  readonly ids: readonly string[]
}

/** What someone types or chooses in. */
const typed = ':is(input:not([type="hidden"], [type="checkbox"]), textarea):enabled'

/** Empty, or with the values of the record that the address names. */
export function CreateView({ collection, ids }: CreateViewProps) {
  const from = useAddress().query.get('from')
  const writer = writerOf(collection)
  const { data, error } = useRecord(writer, writer === collection ? [...ids, from] : [from], from !== null)
  if (from === null) return <NewRecord collection={collection} ids={ids} given={{}} />
  if (error) return <ProblemAlert error={error} />
  if (!data) return <Skeleton height={220} />
  const given = copiedValues(formOf(writer, 'create').fields, data.record, writer.identity)
  return <NewRecord key={from} collection={collection} ids={ids} given={given} />
}

function NewRecord({ collection, ids, given }: CreateViewProps & { readonly given: Values }) {
  const { service, wire, say } = useConsole()
  const stale = useStale()
  const key = useRepeatKey()
  const writer = writerOf(collection)
  const { fields, operation } = useMemo(() => formOf(writer, 'create'), [writer])
  const parents = useMemo(() => parentsOf(collection, ids, fields), [collection, ids, fields])
  const [begun, setBegun] = useState(() => initialValues(fields, { ...given, ...parents }))
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const sheet = useRef<HTMLDivElement>(null)
  // Each of them begins where there is something to type.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever one begins
  useLayoutEffect(() => {
    const inputs = sheet.current?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(typed) ?? []
    ;[...inputs].find(({ value }) => value === '')?.focus()
  }, [begun])
  /** The record as the service has made it; undefined where it has not. */
  const create = async (values: Values): Promise<Json | undefined> => {
    setBusy(true)
    setError(undefined)
    try {
      const path = fill(writer.path, writer === collection ? ids : [])
      const body = { ...parents, ...newBody(fields, values) }
      // A create that is sent again after a lost answer must not create twice.
      const headers = { 'idempotency-key': key.of(body) }
      const isKeyed = operation?.parameters.some(({ name }) => name === 'Idempotency-Key') === true
      const made = await wire.send({ base: writer.api.base, method: 'POST', path, body, ...(isKeyed && { headers }) })
      key.forget()
      await stale(writer)
      return recordFrom(writer, made.body)
    } catch (caught) {
      setError(caught)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  const addressOf = (record: Json) => {
    const id = idOf(collection, record) ?? idOf(writer, record)
    return id === undefined ? fill(collection.path, ids) : recordPath(collection, [...ids, id])
  }
  const save = async (values: Values) => {
    const record = await create(values)
    if (!record) return
    router.guard(false)
    say({ text: `${labelOf(service, writer, record)} is created.` })
    router.go(addressOf(record), { isReplaced: true })
  }
  const saveMore = async (values: Values) => {
    const record = await create(values)
    if (!record) return
    const open = { title: 'Open', run: () => router.go(addressOf(record)) }
    say({ text: `${labelOf(service, writer, record)} is created. Here is the next one.`, action: open })
    setBegun(initialValues(fields, { ...sharedValues(fields, values), ...parents }))
  }
  return (
    <Stack gap="md" ref={sheet}>
      <Title order={1} size="h3">
        New {collection.noun.replaceAll('-', ' ')}
      </Title>
      <RecordForm
        collection={writer}
        fields={fields}
        managed={[]}
        record={begun}
        isNew
        canSave
        error={error}
        isBusy={isBusy}
        onSave={save}
        onSaveMore={saveMore}
      />
    </Stack>
  )
}

/** The identities in the path as values of the fields that point at those records. */
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
