/** The form of a record: saved as a whole, with errors at their fields and a warning before unsaved changes are lost. */
import { Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { text } from '../language/language.ts'
import { faultsIn } from '../model/record/fault.ts'
import type { Field } from '../model/record/field.ts'
import { changedNames, type Values } from '../model/record/values.ts'
import type { Json } from '../model/service/openapi.ts'
import { problemOf, withLocation } from '../model/service/problem.ts'
import type { Collection } from '../model/service/service.ts'
import { draftValues, registerForm, removeDraft } from '../state/draft.ts'
import { useFormLevel } from '../state/form-level.ts'
import { router } from '../state/router.ts'
import { isOnTop } from '../view/dialog/top-dialog.ts'
import { takeEditRequest } from '../view/edit-request.ts'
import { withModifier } from '../view/modifier-key.ts'
import { FieldsAlert, ProblemAlert } from '../view/problem-alert.tsx'
import { useShortcuts } from '../view/use-shortcuts.ts'
import { FieldInput } from './field-input.tsx'
import { RecordFacts } from './record-facts.tsx'

const editable = ':is(input:not([type="hidden"]), textarea):enabled'

interface RecordFormProps {
  readonly collection: Collection
  readonly fields: readonly Field[]
  readonly managed: readonly Field[]
  /** The saved record, or the initial values of a new one. */
  readonly record: Values
  readonly isNew: boolean
  readonly canSave: boolean
  /** The reason why the token does not allow to save. */
  readonly refusal?: string | undefined
  readonly error: unknown
  readonly isBusy: boolean
  onSave(values: Values): void
  /** Saves the record and starts another one. */
  onSaveMore?(values: Values): void
  /** The first field receives the focus when the dialog of the form opens. */
  readonly isFocused?: boolean
  /** Called after Discard, when the form has its initial values again. */
  onDiscard?(): void
  /** Receives whether the form has unsaved changes. */
  onTyped?(isDirty: boolean): void
}

export function RecordForm({
  collection,
  fields,
  managed,
  record,
  isNew,
  canSave: hasOperation,
  refusal,
  error,
  isBusy,
  onSave,
  onSaveMore,
  isFocused = false,
  onDiscard,
  onTyped,
}: RecordFormProps) {
  const { level, path } = useFormLevel()
  const [values, setValues] = useState<Values>(() => ({ ...record, ...draftValues(path) }))
  const [initialInput, setInitialInput] = useState<Values>(record)
  /** The values that are being saved. */
  const [sent, setSent] = useState<Values>()
  // Another record resets the form. Input that was typed while the record was being saved stays.
  if (initialInput !== record) {
    const typed = isBusy && sent ? changedNames(fields, values, sent) : []
    setInitialInput(record)
    setSent(undefined)
    setValues({ ...record, ...Object.fromEntries(typed.map((name) => [name, values[name]])) })
  }
  const form = useRef<HTMLFormElement>(null)
  const canSave = hasOperation && refusal === undefined
  const changed = changedNames(fields, values, record)
  const isDirty = changed.length > 0
  const titleOf = (name: string) => fields.find((field) => field.name === name)?.title ?? name
  useEffect(() => removeDraft(path), [path])
  useEffect(() => {
    const names = changedNames(fields, values, record)
    return registerForm(path, () =>
      names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, values[name]])),
    )
  }, [path, fields, values, record])
  useEffect(() => {
    const guarded = {}
    router.setGuard(guarded, isDirty ? level : undefined)
    onTyped?.(isDirty)
    return () => router.setGuard(guarded, undefined)
  }, [level, isDirty, onTyped])
  const edit = () => form.current?.querySelector<HTMLElement>(editable)?.focus()
  useShortcuts({ e: edit })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form opens
  useEffect(() => {
    if (takeEditRequest() && isOnTop(form.current)) edit()
  }, [])
  useHotkeys([['mod+S', () => isOnTop(form.current) && form.current?.requestSubmit()]], [])
  const [faults, setFaults] = useState<Values>({})
  const { atField, others } = error === undefined ? { atField: {}, others: [] } : withLocation(problemOf(error), fields)
  const faultCount = Object.keys(faults).length
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save(onSave)
  }
  const discard = () => {
    setValues(record)
    setFaults({})
    onDiscard?.()
  }
  /** Checks the values before they are sent. */
  const save = (send: (values: Values) => void) => {
    const faultsFound = faultsIn(fields, values, isNew ? {} : record)
    setFaults(faultsFound)
    if (Object.keys(faultsFound).length > 0) return
    setSent(values)
    send(values)
  }
  // Screen readers announce the first invalid field.
  useEffect(() => {
    if ((error !== undefined || Object.keys(faults).length > 0) && isOnTop(form.current))
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error, faults])
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="md">
        {faultCount > 0 && <FieldsAlert count={faultCount} />}
        {faultCount === 0 && error !== undefined && (
          <ProblemAlert error={error} details={others} fieldErrors={Object.keys(atField).length} />
        )}
        {hasOperation && refusal !== undefined && <Text size="sm">{refusal}</Text>}
        {fields.length > 0 && (
          <Paper withBorder p="md" className="sheet">
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm" className="fields">
              {fields.map((field, index) => (
                <div
                  key={field.name}
                  className={field.kind === 'paragraph' || field.kind === 'json' ? 'wide' : undefined}
                >
                  <FieldInput
                    api={collection.api}
                    field={field}
                    value={values[field.name]}
                    stored={isNew ? undefined : record[field.name]}
                    error={(faults[field.name] ?? (atField as Values)[field.name]) as string | undefined}
                    isDisabled={!canSave}
                    isFocused={isFocused && index === 0}
                    onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
                  />
                </div>
              ))}
            </SimpleGrid>
          </Paper>
        )}
        {managed.length > 0 && !isNew && (
          <Paper withBorder p="md" className="sheet quiet">
            <Text size="xs" c="dimmed" fw={600} mb={6}>
              {canSave ? text().record.systemFields : text().record.readOnly}
            </Text>
            <RecordFacts api={collection.api} record={record as Json} fields={managed} />
          </Paper>
        )}
        {canSave && (
          <Group gap="sm" className="save-bar">
            <Button type="submit" title={withModifier('S')} loading={isBusy} disabled={!isNew && !isDirty}>
              {isNew ? text().record.create : text().record.save}
            </Button>
            {onSaveMore && (
              <Button variant="light" disabled={isBusy} onClick={() => save(onSaveMore)}>
                {text().record.createAnother}
              </Button>
            )}
            {(!isNew || isDirty) && (
              <Button variant="default" disabled={!isDirty} onClick={discard}>
                {text().record.discard}
              </Button>
            )}
            <Text size="sm" c="dimmed" aria-live="polite">
              {isDirty && !isNew && text().record.unsaved(changed.map(titleOf))}
            </Text>
          </Group>
        )}
      </Stack>
    </form>
  )
}
