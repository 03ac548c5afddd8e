/** A dropdown of records, searched by the service if it has search, or else in the loaded options. */
import { type ComboboxItem, Loader, MultiSelect, type OptionsFilter, Select, type StyleProp } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useEffect, useReducer, useRef, useState } from 'react'
import { text } from '../../language/language.ts'
import type { Collection } from '../../model/service/service.ts'
import { foldedText, nounText } from '../../model/title.ts'
import { type Option, optionStep, useOptions } from './reference-options.ts'
import { TwoLines } from './two-lines.tsx'

interface Shared {
  readonly target: Collection
  readonly ids?: readonly unknown[]
  readonly fixed?: { readonly [name: string]: string }
  readonly label: ReactNode
  readonly description?: ReactNode
  readonly placeholder?: string | undefined
  readonly error?: ReactNode
  readonly size?: 'xs' | 'sm'
  readonly w?: StyleProp<number | string>
  readonly autoFocus?: boolean
  /** It has the focus when its dialog opens. */
  readonly 'data-autofocus'?: boolean
}

interface ReferenceInputProps extends Shared {
  readonly value: string | null
  readonly isClearable: boolean
  readonly isRequired?: boolean
  readonly isDisabled?: boolean
  readonly inputContainer?: (input: ReactNode) => ReactNode
  onChange(value: string | null): void
  /** Offers to create a record, with the typed text. */
  onCreate?(typed: string): void
}

export function ReferenceInput({
  target,
  value,
  isClearable,
  isRequired,
  isDisabled,
  onChange,
  onCreate,
  ids,
  fixed,
  ...rest
}: ReferenceInputProps) {
  const field = useSearchedOptions({ target, ids, fixed }, value === null ? [] : [value])
  return (
    <Select
      {...rest}
      {...field.props}
      data={onCreate ? [...field.options, { value: creation, label: '' }] : [...field.options]}
      value={value}
      clearable={isClearable}
      required={isRequired === true}
      disabled={isDisabled === true}
      withAsterisk={isRequired === true}
      onChange={(next) => (next === creation ? onCreate?.(field.typed) : onChange(next))}
    />
  )
}

const noValues: ReadonlySet<string> = new Set()

interface ReferencesInputProps extends Shared {
  readonly values: readonly string[]
  readonly extra?: readonly Option[]
  /** Values that are not offered. */
  readonly hidden?: ReadonlySet<string>
  onChange(values: readonly string[]): void
}

export function ReferencesInput({
  target,
  values,
  extra = [],
  hidden = noValues,
  onChange,
  ids,
  fixed,
  ...rest
}: ReferencesInputProps) {
  const existingValues = values.filter((item) => !extra.some(({ value }) => value === item))
  const field = useSearchedOptions({ target, ids, fixed }, existingValues)
  return (
    <MultiSelect
      {...rest}
      {...field.props}
      data={[...extra, ...field.options].filter(({ value }) => values.includes(value) || !hidden.has(value))}
      value={[...values]}
      clearable
      onChange={onChange}
      comboboxProps={{ withinPortal: false }}
    />
  )
}

type Below = Pick<Shared, 'ids' | 'fixed' | 'target'>

function useSearchedOptions(
  { target, ids, fixed }: { [Key in keyof Below]: Below[Key] | undefined } & { target: Collection },
  selected: readonly string[],
) {
  const [input, setInput] = useState('')
  const [search] = useDebouncedValue(input, 200)
  const [isOpen, setOpen] = useState(false)
  const [limit, setLimit] = useState(optionStep)
  // The list of Mantine changes its ID after it is rendered: `aria-controls` has the new one after the next rendering.
  const [, render] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (!isOpen) return
    const frame = requestAnimationFrame(render)
    return () => cancelAnimationFrame(frame)
  }, [isOpen])
  const { options, total, isLoading, isSearched, found } = useOptions({
    target,
    selected,
    search: isOpen ? search : '',
    limit,
    ...(ids && { ids }),
    ...(fixed && { fixed }),
  })
  const known = withoutDoubles(options)
  const shownNow = known.find(({ value }) => value === selected[0])?.label
  const details = new Map(known.map(({ value, detail = '' }) => [value, detail]))
  // A search of the service may match fields that the label does not show, so its options are not filtered again.
  const filter: OptionsFilter = ({ options: all, search: typed }) =>
    isSearched ? all : all.filter((option) => 'value' in option && isMatch(option, typed))
  const isMatch = ({ value, label }: ComboboxItem, typed: string) =>
    value === creation || value === more
      ? value === creation || typed.trim() === ''
      : found.has(value) || foldedText(`${label} ${details.get(value)}`).includes(foldedText(typed.trim()))
  return {
    typed: input.trim(),
    options: total > known.length ? [...known, { value: more, label: '', disabled: true }] : known,
    props: {
      searchable: true,
      onSearchChange: (typed: string) => setInput(typed === shownNow ? '' : typed),
      onDropdownOpen: () => setOpen(true),
      onDropdownClose: () => setOpen(false),
      rightSection: isLoading && isOpen ? <Loader size={14} aria-label={text().common.loading} /> : undefined,
      nothingFoundMessage: isLoading ? text().common.searching : text().record.nothingFound,
      filter,
      renderOption: ({ option: { value, label } }: { readonly option: ComboboxItem }) =>
        value === more ? (
          <MoreOptions shown={known.length} total={total} onSeen={() => setLimit(known.length + optionStep)} />
        ) : value === creation ? (
          <span className="create-option">{text().record.createReference(nounText(target), input.trim())}</span>
        ) : (
          <TwoLines label={label} detail={details.get(value) ?? ''} />
        ),
    },
  }
}

/** The value of the last option, which says how many are shown. No record has this ID. */
const more = '\u0001'

/** The value of the option that creates a record. */
const creation = '\u0002'

/** Loads further options when it comes into view. */
function MoreOptions({ shown, total, onSeen }: { readonly shown: number; readonly total: number; onSeen(): void }) {
  const marker = useRef<HTMLSpanElement>(null)
  const seen = useRef(onSeen)
  seen.current = onSeen
  // biome-ignore lint/correctness/useExhaustiveDependencies: a line that is still in view is seen again
  useEffect(() => {
    if (!marker.current) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) seen.current()
    })
    observer.observe(marker.current)
    return () => observer.disconnect()
  }, [shown])
  return (
    <span ref={marker} className="more-options">
      {text().record.optionsShown(shown, total)}
    </span>
  )
}

function withoutDoubles(options: readonly Option[]): readonly Option[] {
  return [...new Map(options.map((option) => [option.value, option])).values()]
}
