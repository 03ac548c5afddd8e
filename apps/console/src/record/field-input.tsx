/** The control of one field, by its kind. */
import { JsonInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import type { Field } from '../model/record/field.ts'
import { type Api, rootOf } from '../model/service/service.ts'
import { choiceTitle } from '../model/words.ts'
import { useConsole } from '../wire/console-context.ts'
import { ReferenceInput } from './reference-input.tsx'

interface FieldInputProps {
  readonly api: Api
  readonly field: Field
  readonly value: unknown
  /** The value that is stored: what may follow depends on it. */
  readonly stored: unknown
  readonly error: string | undefined
  readonly isDisabled: boolean
  onChange(value: unknown): void
}

export function FieldInput({ api, field, value, stored, error, isDisabled, onChange }: FieldInputProps) {
  const { service } = useConsole()
  const { kind, isNullable, isRequired, title, description, defaultFrom, hasDefault } = field
  const target = kind === 'reference' && field.reference ? rootOf(service, api, field.reference) : undefined
  const isText = kind === 'text' || kind === 'paragraph'
  const mayBeEmpty = isNullable || hasDefault || (isText && !field.isFilled)
  const shared = {
    label: title,
    description,
    error,
    disabled: isDisabled,
    name: field.name,
    withAsterisk: isRequired && !mayBeEmpty,
  }
  const text = value === null || value === undefined ? '' : `${value}`
  const placeholder = defaultFrom !== undefined ? `As ${defaultFrom}` : isNullable ? 'No value' : undefined
  const type = (next: string) => onChange(next === '' && isNullable ? null : next)
  if (target) {
    return (
      <ReferenceInput
        target={target}
        label={title}
        description={description}
        error={error}
        placeholder={placeholder}
        value={text === '' ? null : text}
        isClearable={isNullable}
        isRequired={isRequired && !isNullable}
        isDisabled={isDisabled}
        onChange={(next) => onChange(next === null ? (isNullable ? null : '') : field.isNumeric ? Number(next) : next)}
      />
    )
  }
  switch (kind) {
    case 'boolean':
      if (!isNullable)
        return (
          <Switch
            label={title}
            description={description}
            error={error}
            disabled={isDisabled}
            name={field.name}
            checked={value === true}
            onChange={({ currentTarget: { checked } }) => onChange(checked)}
            mt={22}
          />
        )
      return (
        <Select
          {...shared}
          placeholder={placeholder}
          data={[
            { value: 'true', label: 'Yes' },
            { value: 'false', label: 'No' },
          ]}
          value={value === null ? null : text}
          clearable
          onChange={(next) => onChange(next === null ? null : next === 'true')}
        />
      )
    case 'choice':
      return (
        <Select
          {...shared}
          placeholder={placeholder}
          data={choicesFor(field, stored).map((one) => ({ value: `${one}`, label: choiceTitle(one) }))}
          value={text === '' ? null : text}
          clearable={isClearable(field, stored)}
          allowDeselect={isClearable(field, stored)}
          onChange={(next) => onChange(next === null ? null : (field.choices.find((one) => `${one}` === next) ?? next))}
        />
      )
    case 'paragraph':
      return (
        <Textarea
          {...shared}
          placeholder={placeholder}
          autosize
          minRows={2}
          maxRows={12}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
        />
      )
    case 'json':
      return (
        <JsonInput
          {...shared}
          autosize
          minRows={2}
          maxRows={16}
          value={typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
          onChange={(next) => onChange(next)}
        />
      )
    case 'date':
      return (
        <TextInput
          {...shared}
          type="date"
          value={text.slice(0, 10)}
          onChange={(event) => type(event.currentTarget.value)}
        />
      )
    case 'moment':
      return (
        <TextInput
          {...shared}
          type="datetime-local"
          step="0.001"
          description={description === undefined ? 'In UTC' : `${description} In UTC.`}
          value={text.replace(/Z$/, '')}
          onChange={(event) => type(event.currentTarget.value)}
        />
      )
    default:
      return (
        <TextInput
          {...shared}
          placeholder={placeholder}
          type={kind === 'email' || kind === 'url' ? kind : 'text'}
          inputMode={kind === 'integer' ? 'numeric' : kind === 'number' ? 'decimal' : undefined}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
        />
      )
  }
}

function isClearable({ isNullable, transitions }: Field, stored: unknown): boolean {
  const next = transitions?.[`${stored}`]
  return isNullable && (stored === null || next === undefined || next.includes(null))
}

/** The present state, and those that may follow it. */
function choicesFor({ choices, transitions }: Field, stored: unknown): readonly unknown[] {
  const next = transitions?.[`${stored}`]
  return next === undefined ? choices : choices.filter((one) => one === stored || next.some((to) => to === one))
}
