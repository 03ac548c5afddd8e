/** Chooses a property to filter by, or one of its values. Both are found by typing. */
import { Button, Combobox, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { text } from '../../language/language.ts'
import type { Filter } from '../../model/list/filter.ts'
import { withFilterValue } from '../../model/list/query.ts'
import { type Collection, rootOf } from '../../model/service/service.ts'
import { foldedText } from '../../model/title.ts'
import { useOptions } from '../../record/reference/reference-options.ts'
import { TwoLines } from '../../record/reference/two-lines.tsx'
import { useConsole } from '../../state/console-context.ts'
import { Icon } from '../../view/icon.tsx'
import { useShortcuts } from '../../view/use-shortcuts.ts'
import { FilterLabel } from './filter-text.tsx'
import { optionsOf } from './option.ts'

interface FilterChooserProps {
  readonly collection: Collection
  readonly filters: readonly Filter[]
  readonly query: URLSearchParams
  onChoose(filter: Filter): void
  onChange(query: URLSearchParams): void
}

/** The maximum number of values of one property. */
const maxValues = 5

export function FilterChooser({ collection, filters, query, onChoose, onChange }: FilterChooserProps) {
  const { service } = useConsole()
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 200)
  const button = useRef<HTMLButtonElement>(null)
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      setTyped('')
      combobox.resetSelectedOption()
    },
  })
  useShortcuts({ f: () => combobox.openDropdown() })
  // biome-ignore lint/correctness/useExhaustiveDependencies: Enter takes the first option of what was typed
  useEffect(() => {
    if (typed !== '') combobox.selectFirstOption()
  }, [typed])
  const close = () => {
    button.current?.focus()
    combobox.closeDropdown()
  }
  const submit = (option: string) => {
    const { name, value } = JSON.parse(option) as { readonly name: string; readonly value?: string }
    const filter = filters.find((candidate) => candidate.name === name)
    if (!filter) return
    if (value === undefined) {
      close()
      onChoose(filter)
    } else {
      // The menu stays open for the next filter.
      setTyped('')
      onChange(withFilterValue(query, filter, value))
    }
  }
  const folded = foldedText(typed.trim())
  const fits = (label: string) => foldedText(label).includes(folded)
  const properties = filters.filter(({ title }) => fits(title))
  const values = filters.flatMap((filter) =>
    optionsOf(filter).flatMap(({ value, label }) => (fits(label) ? [{ filter, value, label }] : [])),
  )
  const references = filters.flatMap((filter) => {
    const target = filter.field.reference ? rootOf(service, collection.api, filter.field.reference) : undefined
    return target && filter.exact !== undefined ? [{ filter, target }] : []
  })
  return (
    <Combobox
      store={combobox}
      width={300}
      position="bottom-start"
      withinPortal={false}
      keepMounted={false}
      onOptionSubmit={submit}
    >
      <Combobox.DropdownTarget>
        <Button
          ref={button}
          className="filter-button"
          size="xs"
          variant="default"
          leftSection={<Icon name="filter" size={14} />}
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
          onClick={() => combobox.toggleDropdown()}
        >
          <span className="filter-text">{text().list.filter}</span>
        </Button>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown>
        <Combobox.Search
          role="combobox"
          aria-expanded={combobox.dropdownOpened}
          aria-label={text().filter.choose}
          placeholder={text().filter.chooseHint}
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
          onKeyDown={({ key }) => key === 'Escape' && close()}
        />
        <Combobox.Options className="filter-options" aria-label={text().filter.choose}>
          {properties.map(({ name, title }) => (
            <Combobox.Option key={name} value={JSON.stringify({ name })}>
              {title}
            </Combobox.Option>
          ))}
          {folded !== '' &&
            values.map(({ filter, value, label }) => (
              <ValueOption key={`${filter.name} ${value}`} {...{ filter, value, label }} />
            ))}
          {folded.length > 1 &&
            references.map(({ filter, target }) => (
              <References key={filter.name} filter={filter} target={target} search={search.trim()} />
            ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

interface ValueOptionProps {
  readonly filter: Filter
  readonly value: string
  readonly label: string
  readonly detail?: string
}

function ValueOption({ filter: { name, title }, value, label, detail = '' }: ValueOptionProps) {
  return (
    <Combobox.Option value={JSON.stringify({ name, value })}>
      <TwoLines label={<FilterLabel title={title} value={label} />} detail={detail} />
    </Combobox.Option>
  )
}

/** Records that a reference may point at, found by their names. */
function References({
  filter,
  target,
  search,
}: {
  readonly filter: Filter
  readonly target: Collection
  readonly search: string
}) {
  const { options, isSearched } = useOptions({
    target,
    search,
    selected: [],
    isEnabled: search.length > 1,
    isShort: true,
  })
  const folded = foldedText(search)
  return options
    .filter(({ label }) => search.length > 1 && (isSearched || foldedText(label).includes(folded)))
    .slice(0, maxValues)
    .map((option) => <ValueOption key={option.value} filter={filter} {...option} />)
}
