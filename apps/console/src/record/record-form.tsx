/** The form of a record, from the detail call: saved as a whole, guarded, with problems at their fields. */
import { Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Field } from '../model/record/field.ts'
import { changedNames, type Values } from '../model/record/values.ts'
import type { Json } from '../model/service/openapi.ts'
import { placed, problemOf } from '../model/service/problem.ts'
import type { Collection } from '../model/service/service.ts'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { router } from '../wire/router.ts'
import { FieldInput } from './field-input.tsx'
import { RecordFacts } from './record-facts.tsx'

interface RecordFormProps {
  readonly collection: Collection
  readonly fields: readonly Field[]
  readonly managed: readonly Field[]
  /** What is stored, or what a new record begins with. */
  readonly record: Values
  readonly isNew: boolean
  readonly canSave: boolean
  readonly error: unknown
  readonly isBusy: boolean
  onSave(values: Values): void
  /** Saves it, and begins another one. */
  onSaveMore?(values: Values): void
  /** Told whether something in it is not saved. */
  onTyped?(isTyped: boolean): void
}

export function RecordForm({
  collection,
  fields,
  managed,
  record,
  isNew,
  canSave,
  error,
  isBusy,
  onSave,
  onSaveMore,
  onTyped,
}: RecordFormProps) {
  const [values, setValues] = useState<Values>(record)
  const [begun, setBegun] = useState<Values>(record)
  // Another record than it began with: the form begins anew.
  if (begun !== record) {
    setBegun(record)
    setValues(record)
  }
  const form = useRef<HTMLFormElement>(null)
  const changed = changedNames(fields, values, record)
  const isDirty = changed.length > 0
  useEffect(() => {
    router.guard(isDirty)
    onTyped?.(isDirty)
    return () => router.guard(false)
  }, [isDirty, onTyped])
  useHotkeys([['mod+S', () => form.current?.requestSubmit()]], [])
  const { atField, others } =
    error === undefined
      ? { atField: {}, others: [] }
      : placed(
          problemOf(error),
          fields.map(({ name }) => name),
        )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave(values)
  }
  // Whoever cannot see the page must hear of the first fault.
  useEffect(() => {
    if (error !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== undefined && <ProblemAlert error={error} details={others} />}
        {fields.length > 0 && (
          <Paper withBorder p="md" className="sheet">
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
              {fields.map((field) => (
                <div
                  key={field.name}
                  className={field.kind === 'paragraph' || field.kind === 'json' ? 'wide' : undefined}
                >
                  <FieldInput
                    api={collection.api}
                    field={field}
                    value={values[field.name]}
                    stored={isNew ? undefined : record[field.name]}
                    error={(atField as Values)[field.name] as string | undefined}
                    isDisabled={!canSave}
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
              {canSave ? 'Kept by the service' : 'To look at'}
            </Text>
            <RecordFacts api={collection.api} record={record as Json} fields={managed} />
          </Paper>
        )}
        {canSave && (
          <Group gap="sm" className="save-bar">
            <Button type="submit" loading={isBusy} disabled={!isNew && !isDirty}>
              {isNew ? 'Create' : 'Save'}
            </Button>
            {onSaveMore && (
              <Button variant="light" disabled={isBusy} onClick={() => onSaveMore(values)}>
                Create and begin another
              </Button>
            )}
            <Button variant="default" disabled={!isDirty} onClick={() => setValues(record)}>
              Undo changes
            </Button>
            <Text size="sm" c="dimmed" aria-live="polite">
              {isDirty && !isNew
                ? `Not saved: ${changed.map((name) => fields.find((one) => one.name === name)?.title).join(', ')}`
                : ''}
            </Text>
          </Group>
        )}
      </Stack>
    </form>
  )
}
