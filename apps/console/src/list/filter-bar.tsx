/** Search and filters of a list: active filters as pills, the others in a menu. */
import { Button, CloseButton, Group, Menu, Popover, TextInput } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { text } from '../language/language.ts'
import type { Filter } from '../model/list/filter.ts'
import { withoutFilters, withValues } from '../model/list/query.ts'
import type { Collection, Variant } from '../model/service/service.ts'
import { ButtonMenu } from '../view/button-menu.tsx'
import { FocusReturn } from '../view/focus-return.tsx'
import { Icon } from '../view/icon.tsx'
import type { NavigateOptions } from '../wire/router.ts'
import { FilterEditor } from './filter-editor.tsx'
import { FilterText } from './filter-text.tsx'

interface FilterBarProps {
  readonly collection: Collection
  readonly variant: Variant
  readonly query: URLSearchParams
  onChange(query: URLSearchParams, options?: NavigateOptions): void
}

export function FilterBar({ collection, variant, query, onChange }: FilterBarProps) {
  const [openedTitle, setOpenedTitle] = useState<string>()
  const { filters } = variant
  const active = filters.filter((filter) => filter.names.some((name) => name !== undefined && query.has(name)))
  const others = filters.filter((filter) => !active.includes(filter) && filter.defaults === undefined)
  const shown = filters.filter((filter) => !others.includes(filter) || filter.title === openedTitle)
  return (
    <Group gap="xs" className="filters" role="search" aria-label={text().list.filters(collection.plural)}>
      {variant.hasSearch && <Search key={collection.key} query={query} onChange={onChange} />}
      {shown.map((filter) => (
        <FilterPill
          key={filter.title}
          collection={collection}
          filter={filter}
          query={query}
          isOpen={openedTitle === filter.title}
          onOpen={(isOpen) => setOpenedTitle(isOpen ? filter.title : undefined)}
          onChange={onChange}
        />
      ))}
      {others.length > 0 && (
        <ButtonMenu
          position="bottom-start"
          width={220}
          dropdown={{ mah: 360, style: { overflowY: 'auto' } }}
          button={
            <Button size="xs" variant="default" leftSection={<Icon name="filter" size={14} />}>
              {text().list.filter}
            </Button>
          }
        >
          {others.map((filter) => (
            <Menu.Item key={filter.title} onClick={() => setOpenedTitle(filter.title)}>
              {filter.title}
            </Menu.Item>
          ))}
        </ButtonMenu>
      )}
      {(active.length > 0 || query.has('search')) && (
        <Button size="xs" variant="subtle" onClick={() => onChange(withoutFilters(query))}>
          {text().list.clearAll}
        </Button>
      )}
    </Group>
  )
}

interface FilterPillProps {
  readonly collection: Collection
  readonly filter: Filter
  readonly query: URLSearchParams
  readonly isOpen: boolean
  onOpen(isOpen: boolean): void
  onChange(query: URLSearchParams): void
}

function FilterPill({ collection, filter, query, isOpen, onOpen, onChange }: FilterPillProps) {
  const isSet = filter.names.some((name) => name !== undefined && query.has(name))
  const clear = () => {
    let next = query
    for (const name of filter.names) if (name !== undefined) next = withValues(next, name, [])
    onOpen(false)
    onChange(next)
  }
  return (
    <Popover opened={isOpen} onChange={onOpen} position="bottom-start" shadow="md" width={300} trapFocus>
      <Popover.Target>
        <Button.Group>
          <Button
            size="xs"
            variant={isSet ? 'light' : 'default'}
            onClick={() => onOpen(!isOpen)}
            aria-expanded={isOpen}
            className="filter-pill"
          >
            <FilterText collection={collection} filter={filter} query={query} />
          </Button>
          {isSet && (
            <CloseButton
              size={30}
              iconSize={14}
              className="filter-clear"
              aria-label={text().list.clearFilter(filter.title)}
              onClick={clear}
            />
          )}
        </Button.Group>
      </Popover.Target>
      <Popover.Dropdown>
        <FocusReturn />
        <FilterEditor
          collection={collection}
          filter={filter}
          query={query}
          onChange={onChange}
          onDone={() => onOpen(false)}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

function Search({ query, onChange }: Pick<FilterBarProps, 'query' | 'onChange'>) {
  const search = query.get('search') ?? ''
  const [input, setInput] = useState(search)
  const inputRef = useRef<HTMLInputElement>(null)
  useHotkeys([['/', () => inputRef.current?.focus()]])
  // The Back button and links change the URL without typing.
  useEffect(() => setInput(search), [search])
  const applySearch = useDebouncedCallback(
    (next: string) => onChange(withValues(query, 'search', next.trim() === '' ? [] : [next]), { replaceHistory: true }),
    250,
  )
  return (
    <TextInput
      ref={inputRef}
      size="xs"
      w={{ base: '100%', xs: 260 }}
      type="search"
      aria-label={text().list.search}
      placeholder={text().list.searchHint}
      leftSection={<Icon name="search" size={14} />}
      value={input}
      onChange={({ currentTarget: { value } }) => {
        setInput(value)
        applySearch(value)
      }}
    />
  )
}
