/** The page controls of a list, from its pageInfo. */
import { Group, NativeSelect, Pagination, Text, TextInput } from '@mantine/core'
import type { PageInfo } from '../http/response-body.ts'
import { format, text } from '../language/language.ts'
import { withPage, withValues } from '../model/list/query.ts'
import type { Collection, Variant } from '../model/service/service.ts'
import { nounText } from '../model/title.ts'
import { writePageSize } from '../state/preference.ts'

interface PageControlsProps {
  readonly collection: Collection
  readonly pageInfo: PageInfo
  readonly pageSize: Variant['pageSize']
  readonly query: URLSearchParams
  /** Another page is loading: its number is already the current one. */
  readonly isLoading: boolean
  onChange(query: URLSearchParams): void
}

export function PageControls({ collection, pageInfo, pageSize, query, isLoading, onChange }: PageControlsProps) {
  const { pageNumber, numberOfPages, numberOfRecords, pageSize: size } = pageInfo
  const first = (pageNumber - 1) * size + 1
  const last = Math.min(pageNumber * size, numberOfRecords)
  const currentPage = isLoading ? Number(query.get('pageNumber') ?? 1) : pageNumber
  const to = (page: number) => onChange(withPage(query, page, size))
  const resize = (next: number) => {
    writePageSize(next)
    onChange(withValues(query, 'pageSize', []))
  }
  const sizes = [...new Set([10, 25, 50, 100, 250, size])].filter(
    (candidate) => candidate <= (pageSize?.maximum ?? 0) || candidate === size,
  )
  return (
    <Group justify="space-between" gap="xs" className="page-controls" component="nav" aria-label={text().list.pages}>
      <Text size="sm" c="dimmed">
        {numberOfRecords > 0 && first <= numberOfRecords
          ? text().list.range(first, last, numberOfRecords)
          : text().list.count(numberOfRecords, nounText(collection))}
      </Text>
      <Group gap="sm">
        {numberOfPages > 1 && (
          <Pagination
            size="sm"
            total={numberOfPages}
            // No page is the current one past the end.
            value={currentPage > numberOfPages ? 0 : currentPage}
            onChange={to}
            siblings={1}
            getItemProps={(page) => ({ 'aria-label': text().list.page(page), children: format().number(page) })}
            getControlProps={(control) => ({ 'aria-label': text().list.pageControls[control] })}
          />
        )}
        {numberOfPages > 7 && <PageInput key={currentPage} numberOfPages={numberOfPages} onGo={to} />}
        {pageSize && numberOfRecords > Math.min(...sizes) && (
          <NativeSelect
            size="xs"
            w={{ base: 148, xs: 124 }}
            aria-label={text().list.pageSize}
            data={sizes
              .sort((a, b) => a - b)
              .map((count) => ({ value: `${count}`, label: text().list.perPage(count) }))}
            value={`${size}`}
            onChange={({ currentTarget: { value } }) => resize(Number(value))}
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
        const page = Number(new FormData(event.currentTarget).get('page'))
        if (Number.isInteger(page) && page >= 1) onGo(Math.min(page, numberOfPages))
      }}
    >
      <TextInput
        size="xs"
        w={124}
        rightSection={text().list.pageOf(numberOfPages)}
        rightSectionWidth={68}
        rightSectionProps={{ className: 'page-count' }}
        name="page"
        inputMode="numeric"
        aria-label={text().list.goToPage(numberOfPages)}
        placeholder={text().list.pageField}
      />
    </form>
  )
}
