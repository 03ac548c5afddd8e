/** The input of a filter for exact texts, numbers, days and times. */
import { TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { text } from '../../language/language.ts'
import { valueToSend } from '../../model/record/values.ts'
import { EditorForm } from './editor-form.tsx'
import type { FilterEditorProps } from './filter-editor-props.ts'

interface TextEditorProps extends FilterEditorProps {
  readonly values: readonly string[]
  set(next: readonly string[]): void
}

export function TextEditor({ filter, values, set, onDone }: TextEditorProps) {
  const { title, field, isRepeatable } = filter
  const isTime = field.kind === 'timestamp'
  const hasTags = isRepeatable && !isTime && field.kind !== 'date'
  const [input, setInput] = useState(hasTags ? '' : (values[0] ?? '').replace(/Z$/, ''))
  const submit = () => {
    const value = isTime ? `${valueToSend(field, input) ?? ''}` : input
    if (hasTags) set([...new Set([...values, ...(value === '' ? [] : [value])])])
    else set(value === '' ? [] : [value])
    onDone()
  }
  return (
    <EditorForm onSubmit={submit}>
      {hasTags ? (
        <TagsInput
          size="xs"
          label={title}
          description={text().list.exactMatch}
          value={[...values]}
          onChange={set}
          searchValue={input}
          onSearchChange={setInput}
          comboboxProps={{ withinPortal: false }}
          autoFocus
          inputMode={field.isNumeric ? 'decimal' : 'text'}
        />
      ) : (
        <TextInput
          size="xs"
          label={title}
          description={isTime ? text().record.inUtc : undefined}
          type={isTime ? 'datetime-local' : field.kind === 'date' ? 'date' : 'text'}
          step={isTime ? '0.001' : undefined}
          inputMode={field.isNumeric ? 'decimal' : undefined}
          value={input}
          onChange={(event) => setInput(event.currentTarget.value)}
          autoFocus
        />
      )}
    </EditorForm>
  )
}
