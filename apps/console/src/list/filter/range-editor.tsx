/** The input of a filter for a range: two days with presets, or two numbers. */
import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { text } from '../../language/language.ts'
import { boundOf, isPreset, presetStart, presets } from '../../model/list/preset.ts'
import { withoutParameters, withValues } from '../../model/list/query.ts'
import { EditorForm } from './editor-form.tsx'
import type { FilterEditorProps } from './filter-editor-props.ts'

export function RangeEditor({ filter, query, onChange, onDone }: FilterEditorProps) {
  const { title, field, range = {} } = filter
  const isDay = field.kind === 'timestamp' || field.kind === 'date'
  const { fromField, beforeField, daysInUtc } = text().list
  const { toField, preset: presetTitles, presets: presetsLabel } = text().filter
  const ends = [
    { name: range.from, label: fromField(title) },
    { name: range.to, label: isDay ? beforeField(title) : toField(title) },
  ]
  const names = ends.flatMap(({ name }) => name ?? [])
  const [values, setValues] = useState(() => Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])))
  const shown = (value = '') => (isDay ? (isPreset(value) ? presetStart(value, 'date') : value.slice(0, 10)) : value)
  const apply = (all: typeof values) => {
    let next = query
    for (const name of names) next = withValues(next, name, all[name] ? [all[name]] : [])
    onChange(next)
  }
  const change = (name: string, value: string) => {
    const next = { ...values, [name]: isDay && value !== '' ? boundOf(value, field.kind) : value }
    setValues(next)
    // A day is chosen as a whole; a number is complete when it is submitted.
    if (isDay) apply(next)
  }
  const submit = () => {
    if (!isDay) apply(values)
    onDone()
  }
  const { from } = range
  return (
    <EditorForm onSubmit={submit}>
      {isDay && from !== undefined && (
        <Group gap={6} role="group" aria-label={presetsLabel}>
          {presets.map((preset) => (
            <Button
              key={preset}
              size="compact-xs"
              variant={values[from] === preset ? 'filled' : 'default'}
              aria-pressed={values[from] === preset}
              onClick={() => {
                onChange(withValues(withoutParameters(query, names), from, [preset]))
                onDone()
              }}
            >
              {presetTitles[preset]}
            </Button>
          ))}
        </Group>
      )}
      {ends.map(({ name, label }, index) =>
        name === undefined ? null : (
          <TextInput
            key={name}
            size="xs"
            type={isDay ? 'date' : 'text'}
            inputMode={isDay ? undefined : 'decimal'}
            label={label}
            value={shown(values[name])}
            onChange={({ currentTarget: { value } }) => change(name, value)}
            autoFocus={index === 0}
          />
        ),
      )}
      {field.kind === 'timestamp' && (
        <Text size="xs" c="dimmed">
          {daysInUtc}
        </Text>
      )}
    </EditorForm>
  )
}
