/** The input of one field, by its kind. */
import { type ComboboxItem, JsonInput, Select, Switch, Text, Textarea } from '@mantine/core'
import { text } from '../language/language.ts'
import { type Field, isMandatory } from '../model/record/field.ts'
import { type Api, rootOf } from '../model/service/service.ts'
import { choiceTitle, title as titleOf } from '../model/title.ts'
import { useConsole } from '../state/console-context.ts'
import { ReferenceField } from './reference/reference-field.tsx'
import { ValueInput } from './value-input.tsx'

interface FieldInputProps {
  readonly api: Api
  readonly field: Field
  readonly value: unknown
  /** The saved value, which decides the allowed next states. */
  readonly stored: unknown
  readonly error: string | undefined
  readonly isDisabled: boolean
  /** Receives the focus when its dialog opens. */
  readonly isFocused?: boolean
  onChange(value: unknown): void
}

export function FieldInput(props: FieldInputProps) {
  const { api, field, value, stored, error, isDisabled, isFocused = false, onChange } = props
  const { service } = useConsole()
  const { kind, isNullable, isRequired, title, defaultFrom } = field
  const description = hintOf(field)
  const target = kind === 'reference' && field.reference ? rootOf(service, api, field.reference) : undefined
  const shared = {
    label: title,
    description,
    error,
    disabled: isDisabled,
    name: field.name,
    withAsterisk: isMandatory(field),
    ...(isFocused && { 'data-autofocus': true }),
  }
  const valueText = value === null || value === undefined ? '' : `${value}`
  const { defaultFrom: sameAs, noValue } = text().record
  const placeholder = defaultFrom !== undefined ? sameAs(titleOf(defaultFrom)) : isNullable ? noValue : undefined
  const changeText = (next: string) => onChange(next === '' && isNullable ? null : next)
  if (target) {
    return (
      <ReferenceField
        target={target}
        label={title}
        description={description}
        error={error}
        placeholder={placeholder}
        value={valueText === '' ? null : valueText}
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
            className="switch-field"
          />
        )
      return (
        <Select
          {...shared}
          placeholder={placeholder}
          data={[
            { value: 'true', label: text().common.optionYes },
            { value: 'false', label: text().common.optionNo },
          ]}
          value={value === null ? null : valueText}
          clearable
          onChange={(next) => onChange(next === null ? null : next === 'true')}
        />
      )
    case 'choice':
      return (
        <Select
          {...shared}
          placeholder={placeholder}
          data={choicesFor(field, stored).map((choice) => ({
            value: `${choice}`,
            label: choiceTitle(choice, field.choices),
          }))}
          value={valueText === '' ? null : valueText}
          clearable={isClearable(field, stored)}
          allowDeselect={isClearable(field, stored)}
          {...(field.choiceDescriptions.size > 0 && {
            renderOption: ({ option }) => <ChoiceOption option={option} field={field} />,
          })}
          onChange={(next) =>
            onChange(next === null ? null : (field.choices.find((choice) => `${choice}` === next) ?? next))
          }
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
          value={valueText}
          onChange={(event) => changeText(event.currentTarget.value)}
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
    default:
      return <ValueInput {...shared} field={field} placeholder={placeholder} value={valueText} onText={changeText} />
  }
}

/** The description and example of a field; undefined if it has neither. */
function hintOf({ description, example }: Field): string | undefined {
  const parts = [description, example === undefined || example === null ? undefined : text().record.example(example)]
  return parts.filter((part) => part !== undefined).join(' ') || undefined
}

function ChoiceOption({ option, field }: { readonly option: ComboboxItem; readonly field: Field }) {
  const description = field.choiceDescriptions.get(option.value)
  return (
    <div>
      {option.label}
      {description !== undefined && (
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      )}
    </div>
  )
}

function isClearable({ isNullable, transitions }: Field, stored: unknown): boolean {
  const next = transitions?.[`${stored}`]
  return isNullable && (stored === null || next === undefined || next.includes(null))
}

/** The current state and the allowed next states. A service can have values that are not in its document. */
function choicesFor({ choices, transitions }: Field, stored: unknown): readonly unknown[] {
  const next = transitions?.[`${stored}`]
  if (next !== undefined) return choices.filter((choice) => choice === stored || next.some((to) => to === choice))
  const isUnknown = stored !== null && stored !== undefined && stored !== '' && !choices.includes(stored)
  return isUnknown ? [stored, ...choices] : choices
}
