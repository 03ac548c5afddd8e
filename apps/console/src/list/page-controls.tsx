/** Where one is in a list, from its pageInfo: any page is one step away. */
import { Group, Pagination, Select, Text, TextInput } from '@mantine/core'
import { withValues } from '../model/list/query.ts'
import type { Variant } from '../model/service/service.ts'
import { grouped } from '../model/words.ts'
import type { PageInfo } from '../wire/data.ts'

interface PageControlsProps {
  readonly pageInfo: PageInfo
  readonly pageSize: Variant['pageSize']
  readonly query: URLSearchParams
  onChange(query: URLSearchParams): void
}

export function PageControls({ pageInfo, pageSize, query, onChange }: PageControlsProps) {
  const { pageNumber, numberOfPages, numberOfRecords, pageSize: size } = pageInfo
  const first = (pageNumber - 1) * size + 1
  const last = Math.min(pageNumber * size, numberOfRecords)
  const to = (page: number) => onChange(withValues(query, 'pageNumber', page === 1 ? [] : [`${page}`]))
  const sizes = [...new Set([10, 25, 50, 100, 250, size])].filter(
    (one) => one <= (pageSize?.maximum ?? 0) || one === size,
  )
  return (
    <Group justify="space-between" gap="xs" className="page-controls" component="nav" aria-label="Pages">
      <Text size="sm" c="dimmed">
        {numberOfRecords > 0 && first <= numberOfRecords
          ? `${grouped(first)}–${grouped(last)} of ${grouped(numberOfRecords)}`
          : `${grouped(numberOfRecords)} in all`}
      </Text>
      <Group gap="sm">
        {numberOfPages > 1 && (
          <Pagination
            size="sm"
            total={numberOfPages}
            value={Math.min(pageNumber, numberOfPages)}
            onChange={to}
            siblings={1}
            getItemProps={(page) => ({ 'aria-label': `Page ${page}` })}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          />
        )}
        {numberOfPages > 7 && <PageInput key={pageNumber} numberOfPages={numberOfPages} onGo={to} />}
        {pageSize && (
          <Select
            size="xs"
            w={104}
            aria-label="Records on a page"
            data={sizes.sort((one, other) => one - other).map((one) => ({ value: `${one}`, label: `${one} a page` }))}
            value={`${size}`}
            allowDeselect={false}
            onChange={(next) => next !== null && onChange(withValues(query, 'pageSize', [next]))}
          />
        )}
      </Group>
    </Group>
  )
}

function PageInput({ numberOfPages, onGo }: { readonly numberOfPages: number; onGo(page: number): void }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const wanted = Number(new FormData(event.currentTarget).get('page'))
        if (Number.isInteger(wanted) && wanted >= 1) onGo(Math.min(wanted, numberOfPages))
      }}
    >
      <TextInput
        size="xs"
        w={72}
        name="page"
        inputMode="numeric"
        aria-label={`Go to page, of ${numberOfPages}`}
        placeholder="Page …"
      />
    </form>
  )
}
