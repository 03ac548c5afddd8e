/** The input of a value that is typed: text, numbers, decimals, dates, times, URLs, e-mail addresses and colors. */
import { ActionIcon, Group, TextInput, type TextInputProps } from '@mantine/core'
import { format, text } from '../language/language.ts'
import type { Field } from '../model/record/field.ts'
import { linkOf, pickedColor, plainNumber } from '../model/record/typed-value.ts'
import { Icon } from '../view/icon.tsx'
import { TimeInput } from './time-input.tsx'

interface ValueInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly field: Field
  readonly value: string
  onText(value: string): void
}

export function ValueInput({ field, value, onText, description, ...rest }: ValueInputProps) {
  const shared = {
    ...rest,
    description,
    onChange: (event: { readonly currentTarget: HTMLInputElement }) => onText(event.currentTarget.value),
  }
  switch (field.kind) {
    case 'date':
      return <TextInput {...shared} type="date" value={value.slice(0, 10)} />
    case 'timestamp':
      return <TimeInput {...rest} description={description} value={value} onText={onText} />
    case 'integer':
    case 'number':
    case 'decimal':
      return (
        <TextInput
          {...shared}
          inputMode={field.kind === 'integer' ? 'numeric' : 'decimal'}
          className="number-input"
          value={value}
          onBlur={() => {
            const plain = plainNumber(value, format().decimalSign)
            if (plain !== value) onText(plain)
          }}
        />
      )
    case 'email':
    case 'url':
      return <LinkInput {...shared} kind={field.kind} value={value} />
    case 'color':
      return (
        <TextInput
          {...shared}
          value={value}
          leftSection={
            <input
              type="color"
              className="color-input"
              aria-label={text().record.pickColor(field.title)}
              disabled={rest.disabled}
              value={pickedColor(value)}
              onChange={({ currentTarget }) => onText(currentTarget.value)}
            />
          }
        />
      )
    default:
      return <TextInput {...shared} value={value} />
  }
}

/** The input with a link that opens its value. */
function LinkInput({
  kind,
  value,
  ...rest
}: TextInputProps & { readonly kind: 'email' | 'url'; readonly value: string }) {
  const href = linkOf(kind, value)
  const label = kind === 'email' ? text().record.writeEmail : text().record.openUrl
  return (
    <TextInput
      {...rest}
      type={kind}
      value={value}
      inputContainer={(input) => (
        <Group gap={4} wrap="nowrap" className="linked-input">
          {input}
          {href !== undefined && (
            <ActionIcon
              component="a"
              variant="subtle"
              color="gray"
              size={34}
              href={href}
              target="_blank"
              rel="noreferrer"
              aria-label={label}
              title={label}
            >
              <Icon name={kind === 'email' ? 'email' : 'open'} size={16} />
            </ActionIcon>
          )}
        </Group>
      )}
    />
  )
}
