/** A dropdown of records, searched by the service if it has search, or else in the loaded options. */
import { Loader, MultiSelect, type OptionsFilter, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { text } from '../language/language.ts'
import type { Collection } from '../model/service/service.ts'
import { type Option, useOptions } from './reference-options.ts'

interface Shared {
  readonly target: Collection
  readonly ids?: readonly unknown[]
  readonly fixed?: { readonly [name: string]: string }
  readonly label: ReactNode
  readonly description?: ReactNode
  readonly placeholder?: string | undefined
  readonly error?: ReactNode
  readonly size?: 'xs' | 'sm'
  readonly autoFocus?: boolean
}

interface ReferenceInputProps extends Shared {
  readonly value: string | null
  readonly isClearable: boolean
  readonly isRequired?: boolean
  readonly isDisabled?: boolean
  readonly hidden?: readonly string[]
  onChange(value: string | null): void
}

export function ReferenceInput({
  target,
  value,
  isClearable,
  isRequired,
  isDisabled,
  hidden = [],
  onChange,
  ids,
  fixed,
  ...rest
}: ReferenceInputProps) {
  const field = useSearchedOptions({ target, ids, fixed }, value === null ? [] : [value])
  return (
    <Select
      {...rest}
      {...field.props}
      data={withoutDoubles(field.options).filter((option) => !hidden.includes(option.value))}
      value={value}
      clearable={isClearable}
      required={isRequired === true}
      disabled={isDisabled === true}
      withAsterisk={isRequired === true}
      onChange={(next) => onChange(next)}
    />
  )
}

interface ReferencesInputProps extends Shared {
  readonly values: readonly string[]
  readonly extra?: readonly Option[]
  onChange(values: readonly string[]): void
}

export function ReferencesInput({ target, values, extra = [], onChange, ids, fixed, ...rest }: ReferencesInputProps) {
  const real = values.filter((item) => !extra.some(({ value }) => value === item))
  const field = useSearchedOptions({ target, ids, fixed }, real)
  return (
    <MultiSelect
      {...rest}
      {...field.props}
      data={withoutDoubles([...extra, ...field.options])}
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
  const known = useOptions({
    target,
    selected,
    search: isOpen ? search : '',
    ...(ids && { ids }),
    ...(fixed && { fixed }),
  })
  const shownNow = known.options.find(({ value }) => value === selected[0])?.label
  const more = known.hasMore ? (known.isSearched ? text().record.more : text().record.moreHidden) : undefined
  return {
    options: known.options,
    props: {
      searchable: true,
      onSearchChange: (search: string) => setInput(search === shownNow ? '' : search),
      onDropdownOpen: () => setOpen(true),
      onDropdownClose: () => setOpen(false),
      rightSection: known.isLoading && isOpen ? <Loader size={14} aria-label={text().common.loading} /> : undefined,
      nothingFoundMessage: known.isLoading ? text().common.searching : (more ?? text().record.nothingFound),
      // A search of the service may match fields that the label does not show, so the options are not filtered again.
      ...(known.isSearched && input !== '' && { filter: all }),
    },
  }
}

const all: OptionsFilter = ({ options }) => options

function withoutDoubles(options: readonly Option[]): Option[] {
  return [...new Map(options.map((option) => [option.value, option])).values()]
}
