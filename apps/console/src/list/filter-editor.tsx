/** The input for one filter, by the kind of its values. */
import { Button, Checkbox, Group, MultiSelect, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { text } from '../language/language.ts'
import type { Filter } from '../model/list/filter.ts'
import { withValues } from '../model/list/query.ts'
import { type Collection, rootOf } from '../model/service/service.ts'
import { choiceTitle } from '../model/words.ts'
import { ReferencesInput } from '../record/reference-input.tsx'
import { useConsole } from '../wire/console-context.ts'

interface FilterEditorProps {
  readonly collection: Collection
  readonly filter: Filter
  readonly query: URLSearchParams
  onChange(query: URLSearchParams): void
  onDone(): void
}

export function FilterEditor(props: FilterEditorProps) {
  const { collection, filter, query, onChange } = props
  const { service } = useConsole()
  const { field, names, title } = filter
  if (filter.isRange) return <RangeEditor {...props} />
  const name = names[0] as string
  const values = query.getAll(name)
  const set = (next: readonly string[]) => onChange(withValues(query, name, next))
  const none = field.isNullable ? [{ value: '', label: text().common.optionNone }] : []
  const target =
    field.kind === 'reference' && field.reference ? rootOf(service, collection.api, field.reference) : undefined
  const chosen = values.map((value) => (value === '' ? noValue : value))
  const choose = (next: readonly string[]) => set(next.map((value) => (value === noValue ? '' : value)))
  if (target)
    return (
      <ReferencesInput
        target={target}
        label={title}
        size="xs"
        values={chosen}
        extra={noneOption(field.isNullable)}
        onChange={choose}
        autoFocus
      />
    )
  if (field.kind === 'boolean' || (field.kind === 'choice' && field.choices.length <= 8)) {
    const choices =
      field.kind === 'boolean'
        ? [
            { value: 'true', label: text().common.optionYes },
            { value: 'false', label: text().common.optionNo },
          ]
        : field.choices.map((choice) => ({ value: `${choice}`, label: choiceTitle(choice, field.choices) }))
    return (
      <Checkbox.Group label={title} size="xs" value={values} onChange={set}>
        <Stack gap={8} mt={6}>
          {[...choices, ...none].map(({ value, label }) => (
            <Checkbox key={value} size="xs" value={value} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
    )
  }
  if (field.kind === 'choice') {
    const data = [
      ...field.choices.map((choice) => ({ value: `${choice}`, label: choiceTitle(choice, field.choices) })),
      ...noneOption(field.isNullable),
    ]
    return (
      <MultiSelect
        label={title}
        size="xs"
        searchable
        data={data}
        value={chosen}
        onChange={choose}
        comboboxProps={{ withinPortal: false }}
      />
    )
  }
  return <TextEditor {...props} values={values} set={set} />
}

/** An option of a dropdown cannot be the empty text, which is what a parameter says for "none". */
const noValue = '\u0000'

function noneOption(isNullable: boolean) {
  return isNullable ? [{ value: noValue, label: text().common.optionNone }] : []
}

function TextEditor({
  filter,
  values,
  set,
  onDone,
}: FilterEditorProps & { readonly values: readonly string[]; set(next: readonly string[]): void }) {
  const { title, field, isRepeatable } = filter
  const type = field.kind === 'date' ? 'date' : 'text'
  const [input, setInput] = useState(isRepeatable ? '' : (values[0] ?? ''))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isRepeatable) set(input === '' ? [] : [input])
    else if (input !== '') set([...values, input])
    onDone()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        {isRepeatable && type === 'text' ? (
          <TagsInput
            size="xs"
            label={title}
            description={text().list.exactMatch}
            value={values.filter((value) => value !== '')}
            onChange={(next) => set([...next, ...(values.includes('') ? [''] : [])])}
            searchValue={input}
            onSearchChange={setInput}
            comboboxProps={{ withinPortal: false }}
          />
        ) : (
          <TextInput
            size="xs"
            label={title}
            type={type}
            value={input}
            onChange={(event) => setInput(event.currentTarget.value)}
          />
        )}
        <Group justify="space-between">
          {field.isNullable ? (
            <Checkbox
              size="xs"
              label={text().common.optionNone}
              checked={values.includes('')}
              onChange={({ currentTarget: { checked } }) =>
                set(checked ? [...values, ''] : values.filter((value) => value !== ''))
              }
            />
          ) : (
            <span />
          )}
          <Button size="xs" type="submit">
            {text().common.done}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function RangeEditor({ filter: { names, title, field }, query, onChange, onDone }: FilterEditorProps) {
  const [from, to] = names
  const ends = [
    { name: from, label: text().list.fromField(title) },
    { name: to, label: text().list.beforeField(title) },
  ]
  return (
    <Stack gap="xs">
      {field.kind === 'timestamp' && (
        <Text size="xs" c="dimmed">
          {text().list.daysInUtc}
        </Text>
      )}
      {ends.map(({ name, label }) =>
        name === undefined ? null : (
          <TextInput
            key={name}
            size="xs"
            type="date"
            label={label}
            value={(query.get(name) ?? '').slice(0, 10)}
            onChange={({ currentTarget: { value } }) =>
              onChange(
                withValues(query, name, value === '' ? [] : [field.kind === 'date' ? value : `${value}T00:00:00.000Z`]),
              )
            }
          />
        ),
      )}
      <Group justify="flex-end">
        <Button size="xs" onClick={onDone}>
          {text().common.done}
        </Button>
      </Group>
    </Stack>
  )
}
