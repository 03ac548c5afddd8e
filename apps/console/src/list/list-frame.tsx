/** The parts of every list: heading with the number of records, filters, the records or the problem, and page controls. */
import { Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { format } from '../language/language.ts'
import type { Json } from '../model/service/openapi.ts'
import { FilterBar } from './filter/filter-bar.tsx'
import { ListProblem } from './list-problem.tsx'
import { PageControls } from './page-controls.tsx'
import { RefreshButton } from './refresh-button.tsx'
import { ToolMenu } from './tool-menu.tsx'
import type { ListPage } from './use-list-page.ts'
import { type Selection, useSelected } from './use-selection.ts'

const phone = '(max-width: 36em)'

interface ListFrameProps {
  readonly page: ListPage
  readonly title: string
  /** Follows the title. */
  readonly subtitle?: ReactNode
  /** The list is a tab of a record, which has the main heading (default). */
  readonly isNested?: boolean
  readonly className?: string
  /** The buttons beside the heading. On a phone they follow the filters, `before` and `more` in a menu. */
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
  const hasFilters = useSelected(selection, (selected) => selected.isEmpty())
  const isPhone = useMediaQuery(phone, undefined, { getInitialValueInEffect: false }) === true
  // One line of tools on a phone, unless there are no filters to share a line with.
  const isToolLine = isPhone && (variant.hasSearch || variant.filters.length > 0)
  const [opened, onOpened] = props.filter ?? ownFilter
  const { records, pageInfo } = list.data ?? {}
  const furtherTools = (
    <>
      {tools?.before}
      <RefreshButton list={list} />
      {tools?.more}
    </>
  )
  const toolButtons = (
    <Group gap="xs" className="list-tools">
      {isPhone && tools?.more ? <ToolMenu>{furtherTools}</ToolMenu> : furtherTools}
      {tools?.after}
    </Group>
  )
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
        {!isToolLine && toolButtons}
      </Group>
      {notes}
      {hasFilters && (
        <div className="list-bar">
          <FilterBar {...{ collection, variant, query, opened, onOpened }} onChange={go} />
          {isToolLine && toolButtons}
        </div>
      )}
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
