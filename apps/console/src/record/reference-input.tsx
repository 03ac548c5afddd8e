/** A dropdown of records: searchable, by the service where it can search, else among those that were fetched. */
import { Loader, MultiSelect, type OptionsFilter, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
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
      data={withoutDoubles(field.options).filter((one) => !hidden.includes(one.value))}
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
  const real = values.filter((one) => !extra.some(({ value }) => value === one))
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
  kept: readonly string[],
) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 200)
  const [isOpen, setOpen] = useState(false)
  const known = useOptions({ target, kept, search: isOpen ? search : '', ...(ids && { ids }), ...(fixed && { fixed }) })
  const shownNow = known.options.find(({ value }) => value === kept[0])?.label
  const more = known.hasMore
    ? known.isSearched
      ? 'There are more: type to find them.'
      : 'There are more than are shown here.'
    : undefined
  return {
    options: known.options,
    props: {
      searchable: true,
      onSearchChange: (text: string) => setTyped(text === shownNow ? '' : text),
      onDropdownOpen: () => setOpen(true),
      onDropdownClose: () => setOpen(false),
      rightSection: known.isLoading && isOpen ? <Loader size={14} aria-label="Loading" /> : undefined,
      nothingFoundMessage: known.isLoading ? 'Looking …' : (more ?? 'Nothing found.'),
      // What the service has looked for need not hold the text: it may stand in a property that is not shown.
      ...(known.isSearched && typed !== '' && { filter: all }),
    },
  }
}

const all: OptionsFilter = ({ options }) => options

function withoutDoubles(options: readonly Option[]): Option[] {
  return [...new Map(options.map((one) => [one.value, one])).values()]
}
