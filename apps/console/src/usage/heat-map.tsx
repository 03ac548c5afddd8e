/** A heat map of endpoints by caller: a line with the sum of each noun, which unfolds to its endpoints. A click shows the callers. */
import { ActionIcon, Badge, Table, Text, UnstyledButton } from '@mantine/core'
import { Fragment, useState } from 'react'
import { format, text } from '../language/language.ts'
import type { Sort } from '../model/list/query.ts'
import type { Deprecation } from '../model/service/operation.ts'
import {
  byDay,
  type CallerReport,
  callersIn,
  columnsOf,
  columnTitle,
  deprecationOf,
  type EndpointReport,
  heat,
  requestsOf,
  verdictText,
} from '../model/service/usage.ts'
import type { UsageGroup } from '../model/service/usage-group.ts'
import { callerSort, sortedGroups, type UsageColumn } from '../model/service/usage-sort.ts'
import { useConsole } from '../state/console-context.ts'
import { Sparkline } from '../view/bars.tsx'
import { Icon } from '../view/icon.tsx'

interface HeatMapProps {
  readonly groups: readonly UsageGroup[]
  /** All callers of the report, so that the columns stay while the endpoints are filtered. */
  readonly callers: readonly CallerReport[]
  readonly days: readonly string[]
  /** Whether the endpoints are shown below their sums at first. */
  readonly isUnfolded: boolean
  readonly sort: Sort | undefined
  onSort(name: string): void
  onOpen(endpoint: EndpointReport): void
}

const maxColumns = 12

export function HeatMap({ groups: unsorted, callers, days, isUnfolded, sort, onSort, onOpen }: HeatMapProps) {
  const [toggledPaths, setToggled] = useState<ReadonlySet<string>>(new Set())
  const columns = columnsOf(callers, maxColumns)
  const groups = sortedGroups(unsorted, sort, columns)
  const counts = groups.flatMap(({ total, endpoints }) =>
    [total, ...endpoints].flatMap((line) => columns.map((column) => requestsOf(callersIn(line, column, columns)))),
  )
  const common = { columns, days, maxRequests: Math.max(1, ...counts), onOpen }
  const toggle = (path: string) => setToggled((before) => before.symmetricDifference(new Set([path])))
  return (
    <Table.ScrollContainer minWidth={760} className="list-scroll" type="native">
      <Table stickyHeader verticalSpacing={3} horizontalSpacing="xs" className="heat" aria-label={text().usage.heatMap}>
        <Table.Thead>
          <Table.Tr>
            <SortHead {...{ sort, onSort }} name="endpoint" title={text().usage.endpoint} />
            <SortHead {...{ sort, onSort }} name="status" title={text().usage.status} />
            <SortHead {...{ sort, onSort }} name="requests" title={text().usage.requests} className="number" />
            <Table.Th className="trend">{text().usage.trend}</Table.Th>
            {columns.map((column) => (
              <SortHead
                key={column}
                {...{ sort, onSort }}
                name={callerSort(column)}
                title={columnTitle(column)}
                className="caller"
              />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {groups.map(({ total, endpoints }) => {
            const isOpen = toggledPaths.has(total.path) !== isUnfolded
            return (
              <Fragment key={total.path}>
                <Row
                  {...common}
                  endpoint={total}
                  group={{ count: endpoints.length, isOpen, onToggle: () => toggle(total.path) }}
                />
                {isOpen &&
                  endpoints.map((endpoint) => (
                    <Row key={`${endpoint.method} ${endpoint.path}`} {...common} endpoint={endpoint} />
                  ))}
              </Fragment>
            )
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

interface SortHeadProps {
  readonly name: UsageColumn | ReturnType<typeof callerSort>
  readonly title: string
  readonly className?: string
  readonly sort: Sort | undefined
  onSort(name: string): void
}

function SortHead({ name, title, className, sort, onSort }: SortHeadProps) {
  const isSorted = sort?.name === name
  const order = isSorted ? (sort.isDescending ? 'descending' : 'ascending') : 'none'
  return (
    <Table.Th className={className} title={title} aria-sort={order}>
      <UnstyledButton className="sort" onClick={() => onSort(name)}>
        <span>{title}</span>
        {isSorted && <Icon name={sort.isDescending ? 'down' : 'up'} size={12} />}
      </UnstyledButton>
    </Table.Th>
  )
}

interface RowProps {
  readonly endpoint: EndpointReport
  /** For the line of a sum. */
  readonly group?: { readonly count: number; readonly isOpen: boolean; onToggle(): void }
  readonly columns: readonly string[]
  readonly days: readonly string[]
  readonly maxRequests: number
  onOpen(endpoint: EndpointReport): void
}

function Row({ endpoint, group, columns, days, maxRequests, onOpen }: RowProps) {
  const { service } = useConsole()
  const { method, path, requests, callers } = endpoint
  const deprecation = deprecationOf(service, endpoint)
  const name = `${method} ${path}`.trim()
  return (
    <Table.Tr className={group ? 'heat-group' : undefined}>
      <Table.Th scope="row">
        <div className="heat-name">
          {group && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-expanded={group.isOpen}
              aria-label={text().usage.endpointsOf(path)}
              onClick={group.onToggle}
            >
              <Icon name={group.isOpen ? 'up' : 'down'} size={12} />
            </ActionIcon>
          )}
          <UnstyledButton className="endpoint" title={path} onClick={() => onOpen(endpoint)}>
            {group ? path : <b>{method}</b>} {group ? null : path}
          </UnstyledButton>
        </div>
      </Table.Th>
      <Table.Td className="status">
        <Text size="xs" className={`verdict ${endpoint.verdict.replaceAll(' ', '-')}`}>
          {verdictText(endpoint)}
        </Text>
        {group && (
          <Text size="xs" c="dimmed">
            {text().usage.endpoints(group.count)}
          </Text>
        )}
        {deprecation && <DeprecationText deprecation={deprecation} />}
      </Table.Td>
      <Table.Td className="number">{format().number(requests)}</Table.Td>
      <Table.Td className="trend">
        <Sparkline counts={byDay(callers, days)} />
      </Table.Td>
      {columns.map((column) => {
        const cellCallers = callersIn(endpoint, column, columns)
        const count = requestsOf(cellCallers)
        const share = heat(count, maxRequests)
        return (
          <Table.Td key={column} className="cell">
            {count > 0 && (
              <UnstyledButton
                className="cell-button"
                style={{ '--share': share.toFixed(3) }}
                aria-label={text().usage.cell(format().short(count), columnTitle(column), count, name)}
                onClick={() => onOpen(endpoint)}
              >
                {format().short(count)}
              </UnstyledButton>
            )}
          </Table.Td>
        )
      })}
    </Table.Tr>
  )
}

export function DeprecationText({
  deprecation: { since, sunset, successor, gone },
}: {
  readonly deprecation: Deprecation
}) {
  const sentences = [
    gone ? text().usage.gone : text().usage.deprecated,
    since && text().usage.since(since),
    sunset && text().usage.sunset(sunset),
    successor && text().usage.successor(successor),
  ]
  return (
    <Badge variant="light" color="orange" radius="sm" tt="none" fw={500} size="sm">
      {sentences.filter(Boolean).join(', ')}
    </Badge>
  )
}
