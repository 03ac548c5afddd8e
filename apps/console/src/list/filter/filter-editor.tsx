/** The editor of one filter: its comparison, and an input by the kind of its values. */
import { Checkbox, MultiSelect, SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { text } from '../../language/language.ts'
import { type Filter, type Operator, operatorsOf, parametersOf } from '../../model/list/filter.ts'
import { withoutParameters, withValues } from '../../model/list/query.ts'
import { rootOf } from '../../model/service/service.ts'
import { ReferencesInput } from '../../record/reference/reference-input.tsx'
import { useConsole } from '../../state/console-context.ts'
import { EditorForm } from './editor-form.tsx'
import type { FilterEditorProps } from './filter-editor-props.ts'
import { optionsOf } from './option.ts'
import { RangeEditor } from './range-editor.tsx'
import { TextEditor } from './text-editor.tsx'

export default function FilterEditor(props: FilterEditorProps) {
  const { filter, query, onChange } = props
  const operators = operatorsOf(filter)
  const [operator, setOperator] = useState(() => operatorIn(filter, query) ?? operators[0])
  const choose = (next: Operator) => {
    setOperator(next)
    const cleared = withoutParameters(query, parametersOf(filter))
    onChange(next === 'none' && filter.exact !== undefined ? withValues(cleared, filter.exact, ['']) : cleared)
  }
  return (
    <Stack gap="xs">
      {operators.length > 1 && (
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label={text().filter.operator}
          data={operators.map((value) => ({ value, label: operatorTitle(filter, value) }))}
          value={`${operator}`}
          onChange={(next) => choose(next as Operator)}
        />
      )}
      {operator === 'range' && <RangeEditor {...props} />}
      {operator === 'is' && <ExactEditor {...props} />}
    </Stack>
  )
}

/** The comparison that the query has; undefined if it has none. */
function operatorIn(filter: Filter, query: URLSearchParams): Operator | undefined {
  const { exact, range } = filter
  if (exact !== undefined && query.has(exact))
    return operatorsOf(filter).includes('none') && query.getAll(exact).every((value) => value === '') ? 'none' : 'is'
  return [range?.from, range?.to].some((name) => name !== undefined && query.has(name)) ? 'range' : undefined
}

function operatorTitle({ isRepeatable }: Filter, operator: Operator): string {
  const { is, isAnyOf, between, hasNone } = text().filter
  return { is: isRepeatable ? isAnyOf : is, range: between, none: hasNone }[operator]
}

function ExactEditor(props: FilterEditorProps) {
  const { collection, filter, query, onChange, onDone } = props
  const { service } = useConsole()
  const { field, exact = '', title, isRepeatable } = filter
  const values = query.getAll(exact)
  const set = (next: readonly string[]) => onChange(withValues(query, exact, isRepeatable ? next : next.slice(-1)))
  const target =
    field.kind === 'reference' && field.reference ? rootOf(service, collection.api, field.reference) : undefined
  const selectedValues = values.map((value) => (value === '' ? noValue : value))
  const choose = (next: readonly string[]) => set(next.map((value) => (value === noValue ? '' : value)))
  const noValueOption = field.isNullable ? [{ value: noValue, label: text().common.optionNone }] : []
  if (target)
    return (
      <EditorForm onSubmit={onDone}>
        <ReferencesInput
          target={target}
          label={title}
          size="xs"
          values={selectedValues}
          extra={noValueOption}
          onChange={choose}
          autoFocus
        />
      </EditorForm>
    )
  const options = [...optionsOf(filter), ...noValueOption]
  if (field.kind === 'boolean' || (field.kind === 'choice' && field.choices.length <= 8))
    return (
      <EditorForm onSubmit={onDone}>
        <Checkbox.Group label={title} size="xs" value={selectedValues} onChange={choose}>
          <Stack gap={8} mt={6}>
            {options.map(({ value, label }, index) => (
              <Checkbox key={value} size="xs" value={value} label={label} autoFocus={index === 0} />
            ))}
          </Stack>
        </Checkbox.Group>
      </EditorForm>
    )
  if (field.kind === 'choice')
    return (
      <EditorForm onSubmit={onDone}>
        <MultiSelect
          label={title}
          size="xs"
          searchable
          autoFocus
          data={options}
          value={selectedValues}
          onChange={choose}
          comboboxProps={{ withinPortal: false }}
        />
      </EditorForm>
    )
  return <TextEditor {...props} values={values} set={set} />
}

/** An option of a dropdown cannot be the empty text, which is what a parameter says for "none". */
const noValue = '\u0000'
