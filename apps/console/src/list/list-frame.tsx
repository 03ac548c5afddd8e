/** The parts of every list: heading with the number of records, filters, the records or the problem, and page controls. */
import { ActionIcon, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { format, text } from '../language/language.ts'
import type { Json } from '../model/service/openapi.ts'
import { Icon } from '../view/icon.tsx'
import { FilterBar } from './filter/filter-bar.tsx'
import { ListProblem } from './list-problem.tsx'
import { PageControls } from './page-controls.tsx'
import { RefreshButton } from './refresh-button.tsx'
import type { ListPage } from './use-list-page.ts'
import { type Selection, useSelected } from './use-selection.ts'

interface ListFrameProps {
  readonly page: ListPage
  readonly title: string
  /** Follows the title. */
  readonly subtitle?: ReactNode
  /** The list is a tab of a record, which has the main heading (default). */
  readonly isNested?: boolean
  readonly className?: string
  /** The buttons beside the heading. On a phone, `before` and `more` are hidden until the reader asks for them. */
  readonly tools?: { readonly before?: ReactNode; readonly more?: ReactNode; readonly after?: ReactNode }
  /** Between heading and filters. */
  readonly notes?: ReactNode
  /** Its bar takes the place of the filters while records are selected. */
  readonly selection?: Selection
  /** The filter whose editor is open, if the records can open one. */
  readonly filter?: readonly [name: string | undefined, open: (name: string | undefined) => void]
  /** Shown while the records load (default: a skeleton). */
  readonly waiting?: ReactNode
  children(records: readonly Json[]): ReactNode
}

export function ListFrame({
  page,
  title,
  isNested = true,
  tools,
  notes,
  selection,
  waiting,
  ...props
}: ListFrameProps) {
  const { collection, variant, query, list, go } = page
  const ownFilter = useState<string>()
  const [isExpanded, setExpanded] = useState(false)
  const hasFilters = useSelected(selection, (selected) => selected.isEmpty())
  const [opened, onOpened] = props.filter ?? ownFilter
  const { records, pageInfo } = list.data ?? {}
  return (
    <Stack gap="sm" className={props.className}>
      <Group justify="space-between" gap="xs">
        <Group gap="sm" align="baseline">
          <Title order={isNested ? 2 : 1} size={isNested ? 'h5' : 'h3'}>
            {title}
          </Title>
          {props.subtitle}
          {pageInfo && (
            <Text c="dimmed" size="sm" aria-live="polite">
              {format().number(pageInfo.numberOfRecords)}
            </Text>
          )}
        </Group>
        <Group gap="xs" className={isExpanded ? 'list-tools expanded' : 'list-tools'}>
          <Group gap="xs" className={tools?.more ? 'more-tools' : undefined}>
            {tools?.before}
            <RefreshButton list={list} />
            {tools?.more}
          </Group>
          {tools?.more && (
            <ActionIcon
              variant="default"
              size={30}
              className="more-button"
              aria-label={text().list.moreTools}
              aria-expanded={isExpanded}
              onClick={() => setExpanded(!isExpanded)}
            >
              <Icon name="more" size={15} />
            </ActionIcon>
          )}
          {tools?.after}
        </Group>
      </Group>
      {notes}
      {hasFilters && <FilterBar {...{ collection, variant, query, opened, onOpened }} onChange={go} />}
      {list.error !== undefined && (
        <ListProblem
          error={list.error}
          {...{ variant, query }}
          hasRows={records !== undefined}
          onChange={go}
          onRetry={() => list.refetch()}
        />
      )}
      {records ? props.children(records) : list.error === undefined && (waiting ?? <Skeleton height={160} />)}
      {pageInfo && (
        <PageControls
          {...{ collection, pageInfo, query }}
          isLoading={list.isPrevious}
          pageSize={variant.pageSize}
          onChange={go}
        />
      )}
    </Stack>
  )
}
