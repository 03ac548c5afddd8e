/** Search, and the filters of a list: those in force as pills, each opened for change, and a menu of the others. */
import { Button, CloseButton, Group, Menu, Popover, TextInput } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import type { Filter } from '../model/list/filter.ts'
import { withoutFilters, withValues } from '../model/list/query.ts'
import type { Collection, Variant } from '../model/service/service.ts'
import { ButtonMenu } from '../view/button-menu.tsx'
import { FocusReturn } from '../view/focus-return.tsx'
import { Icon } from '../view/icon.tsx'
import { FilterEditor } from './filter-editor.tsx'
import { FilterText } from './filter-text.tsx'

interface FilterBarProps {
  readonly collection: Collection
  readonly variant: Variant
  readonly query: URLSearchParams
  onChange(query: URLSearchParams, isReplaced?: boolean): void
}

export function FilterBar({ collection, variant, query, onChange }: FilterBarProps) {
  const [opened, setOpened] = useState<string>()
  const { filters } = variant
  const inForce = filters.filter((one) => one.names.some((name) => name !== undefined && query.has(name)))
  const others = filters.filter((one) => !inForce.includes(one) && one.defaults === undefined)
  const shown = filters.filter((one) => !others.includes(one) || one.title === opened)
  return (
    <Group gap="xs" className="filters" role="search" aria-label={`Filters of ${collection.title}`}>
      {variant.hasSearch && <Search key={collection.key} query={query} onChange={onChange} />}
      {shown.map((filter) => (
        <FilterPill
          key={filter.title}
          collection={collection}
          filter={filter}
          query={query}
          isOpen={opened === filter.title}
          onOpen={(isOpen) => setOpened(isOpen ? filter.title : undefined)}
          onChange={onChange}
        />
      ))}
      {others.length > 0 && (
        <ButtonMenu
          position="bottom-start"
          width={220}
          dropdown={{ mah: 360, style: { overflowY: 'auto' } }}
          button={
            <Button size="xs" variant="default" leftSection={<Icon sign="filter" size={14} />}>
              Filter
            </Button>
          }
        >
          {others.map((filter) => (
            <Menu.Item key={filter.title} onClick={() => setOpened(filter.title)}>
              {filter.title}
            </Menu.Item>
          ))}
        </ButtonMenu>
      )}
      {(inForce.length > 0 || query.has('search')) && (
        <Button size="xs" variant="subtle" onClick={() => onChange(withoutFilters(query))}>
          Clear all
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
              aria-label={`Clear the filter ${filter.title}`}
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
  const given = query.get('search') ?? ''
  const [typed, setTyped] = useState(given)
  const input = useRef<HTMLInputElement>(null)
  useHotkeys([['/', () => input.current?.focus()]])
  // Back, and links, change the address without anyone typing.
  useEffect(() => setTyped(given), [given])
  const settle = useDebouncedCallback(
    (text: string) => onChange(withValues(query, 'search', text.trim() === '' ? [] : [text]), true),
    250,
  )
  return (
    <TextInput
      ref={input}
      size="xs"
      w={{ base: '100%', xs: 260 }}
      type="search"
      aria-label="Search"
      placeholder="Search  /"
      leftSection={<Icon sign="search" size={14} />}
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        settle(value)
      }}
    />
  )
}
