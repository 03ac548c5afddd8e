/** Search, filters and sort of a list: a pill for each of them that is set, the others in a menu. */
import { Button, Group } from '@mantine/core'
import { text } from '../../language/language.ts'
import { type Filter, parametersOf } from '../../model/list/filter.ts'
import { otherParameters, withoutFilters, withoutParameters } from '../../model/list/query.ts'
import type { Collection, Variant } from '../../model/service/service.ts'
import type { NavigateOptions } from '../../state/router.ts'
import { FilterChooser } from './filter-chooser.tsx'
import { FilterLabel, FilterText } from './filter-text.tsx'
import { Pill } from './pill.tsx'
import { SearchInput } from './search-input.tsx'
import { SortPill } from './sort-pill.tsx'

const loadEditor = () => import('./filter-editor.tsx')

interface FilterBarProps {
  readonly collection: Collection
  readonly variant: Variant
  readonly query: URLSearchParams
  /** The name of the filter whose editor is open. */
  readonly opened: string | undefined
  onOpened(name: string | undefined): void
  onChange(query: URLSearchParams, options?: NavigateOptions): void
}

export function FilterBar({ collection, variant, query, opened, onOpened, onChange }: FilterBarProps) {
  const { filters } = variant
  const isSet = (filter: Filter) => parametersOf(filter).some((name) => query.has(name))
  const shown = filters.filter((filter) => isSet(filter) || filter.defaults !== undefined || filter.name === opened)
  const others = otherParameters(filters, query)
  return (
    <Group gap="xs" className="filters" role="search" aria-label={text().list.filters(collection.plural)}>
      {variant.hasSearch && <SearchInput key={collection.key} query={query} onChange={onChange} />}
      <div className="pills">
        {inOrder(shown, query).map((filter) => (
          <Pill
            key={filter.name}
            isSet={isSet(filter)}
            isOpen={opened === filter.name}
            onOpen={(isOpen) => onOpened(isOpen ? filter.name : undefined)}
            clearLabel={text().list.clearFilter(filter.title)}
            onClear={() => onChange(withoutParameters(query, parametersOf(filter)))}
            load={loadEditor}
            editorProps={{ collection, filter, query, onChange, onDone: () => onOpened(undefined) }}
          >
            <FilterText collection={collection} filter={filter} query={query} />
          </Pill>
        ))}
        {others.map((name) => (
          <Pill
            key={name}
            isSet
            clearLabel={text().list.clearFilter(name)}
            onClear={() => onChange(withoutParameters(query, [name]))}
          >
            <FilterLabel title={name} value={text().list.or(query.getAll(name))} />
          </Pill>
        ))}
        <SortPill collection={collection} variant={variant} query={query} onChange={onChange} />
      </div>
      {filters.length > 0 && (
        <FilterChooser
          collection={collection}
          filters={filters}
          query={query}
          onChoose={({ name }) => onOpened(name)}
          onChange={onChange}
        />
      )}
      {(others.length > 0 || filters.some(isSet)) && (
        <Button size="xs" variant="subtle" onClick={() => onChange(withoutFilters(query))}>
          {text().list.clearAll}
        </Button>
      )}
    </Group>
  )
}

/** In the order of the URL, so that a new pill does not move the others. Those without a parameter come first. */
function inOrder(filters: readonly Filter[], query: URLSearchParams): readonly Filter[] {
  const names = [...query.keys()]
  const position = (filter: Filter) => {
    const at = parametersOf(filter)
      .map((name) => names.indexOf(name))
      .filter((index) => index !== -1)
    return at.length > 0 ? Math.min(...at) : filter.defaults ? -1 : names.length
  }
  return filters.toSorted((a, b) => position(a) - position(b))
}
