/** Chooses a field and its new value for several records. */
import { Button, Select, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { format, text } from '../language/language.ts'
import { bulkFields } from '../model/record/bulk-field.ts'
import { faultsIn } from '../model/record/fault.ts'
import type { Field } from '../model/record/field.ts'
import type { SharedChange } from '../model/record/shared-change.ts'
import { initialValues, valueToSend } from '../model/record/values.ts'
import { type Collection, rootOf } from '../model/service/service.ts'
import { choiceTitle } from '../model/title.ts'
import { FieldInput } from '../record/field-input.tsx'
import { useOptions } from '../record/reference/reference-options.ts'
import { useConsole } from '../state/console-context.ts'
import { Dialog } from '../view/dialog/dialog.tsx'
import { DialogButtons } from '../view/dialog/dialog-buttons.tsx'

interface FieldDialogProps {
  /** The collection in whose path the records are changed. */
  readonly collection: Collection
  onChange(change: SharedChange): void
  onClose(): void
}

export default function FieldDialog({ collection, onChange, onClose }: FieldDialogProps) {
  const fields = bulkFields(collection)
  const [field, setField] = useState<Field>()
  const [value, setValue] = useState<unknown>()
  const [fault, setFault] = useState<string>()
  const label = useReferenceLabel(collection, field, value)
  const choose = (name: string | null) => {
    const next = fields.find((candidate) => candidate.name === name)
    setField(next)
    setFault(undefined)
    setValue(next && initialValues([next])[next.name])
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!field) return
    const fault = faultsIn([field], { [field.name]: value })[field.name]
    setFault(fault)
    if (fault !== undefined) return
    const body = { [field.name]: valueToSend(field, value) }
    onChange({
      kind: 'set',
      method: 'PATCH',
      owner: collection,
      body,
      field: field.title,
      value: label ?? shownText(field, body[field.name]),
    })
  }
  return (
    <Dialog title={text().bulk.setField} size="sm" onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Select
            label={text().bulk.field}
            searchable
            data={fields.map(({ name, title }) => ({ value: name, label: title }))}
            value={field?.name ?? null}
            onChange={choose}
            data-autofocus
          />
          {field && (
            <FieldInput
              key={field.name}
              api={collection.api}
              field={field}
              value={value}
              stored={undefined}
              error={fault}
              isDisabled={false}
              onChange={setValue}
            />
          )}
          <DialogButtons onClose={onClose}>
            <Button type="submit" disabled={!field}>
              {text().bulk.continue}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}

/** The label of the selected record of a reference; undefined for other fields. */
function useReferenceLabel(collection: Collection, field: Field | undefined, value: unknown): string | undefined {
  const { service } = useConsole()
  const target =
    field?.kind === 'reference' && field.reference ? rootOf(service, collection.api, field.reference) : undefined
  const isSet = target !== undefined && value !== null && value !== undefined && value !== ''
  const { options } = useOptions({
    target: target ?? collection,
    search: '',
    selected: isSet ? [`${value}`] : [],
    isEnabled: isSet,
  })
  return isSet ? options.find((option) => option.value === `${value}`)?.label : undefined
}

function shownText({ kind, choices }: Field, value: unknown): string {
  const { valueNone, valueYes, valueNo } = text().common
  if (value === null || value === undefined || value === '') return valueNone
  if (kind === 'boolean') return value === true ? valueYes : valueNo
  if (kind === 'date' || kind === 'timestamp') return format().day(`${value}`)
  return kind === 'choice'
    ? choiceTitle(value, choices)
    : typeof value === 'object'
      ? JSON.stringify(value)
      : `${value}`
}
