/** A heat map of endpoints by caller. A click shows the callers. */
import { Badge, Table, Text, UnstyledButton } from '@mantine/core'
import { format, text } from '../language/language.ts'
import type { Deprecation } from '../model/service/operation.ts'
import {
  byDay,
  callersIn,
  columnsOf,
  columnTitle,
  daysOf,
  deprecationOf,
  type EndpointReport,
  heat,
  requestsOf,
  type UsageReport,
  verdictText,
} from '../model/service/usage.ts'
import { useConsole } from '../wire/console-context.ts'

interface HeatMapProps {
  readonly report: UsageReport
  readonly endpoints: readonly EndpointReport[]
  onOpen(endpoint: EndpointReport): void
}

const mostColumns = 12

export function HeatMap({ report, endpoints, onOpen }: HeatMapProps) {
  const columns = columnsOf(report, mostColumns)
  const days = daysOf(report)
  const cells = report.endpoints.flatMap((endpoint) =>
    columns.map((column) => requestsOf(callersIn(endpoint, column, columns))),
  )
  const most = Math.max(1, ...cells)
  return (
    <Table.ScrollContainer minWidth={760} className="list-scroll" type="native">
      <Table stickyHeader verticalSpacing={3} horizontalSpacing="xs" className="heat" aria-label={text().usage.heatMap}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text().usage.endpoint}</Table.Th>
            <Table.Th>{text().usage.status}</Table.Th>
            <Table.Th className="number">{text().usage.requests}</Table.Th>
            <Table.Th>{text().usage.trend}</Table.Th>
            {columns.map((column) => (
              <Table.Th key={column} className="caller" title={columnTitle(column)}>
                <span>{columnTitle(column)}</span>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {endpoints.map((endpoint) => (
            <Row
              key={`${endpoint.method} ${endpoint.path}`}
              endpoint={endpoint}
              columns={columns}
              days={days}
              most={most}
              onOpen={onOpen}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

interface RowProps {
  readonly endpoint: EndpointReport
  readonly columns: readonly string[]
  readonly days: readonly string[]
  readonly most: number
  onOpen(endpoint: EndpointReport): void
}

function Row({ endpoint, columns, days, most, onOpen }: RowProps) {
  const { service } = useConsole()
  const { method, path, requests, callers } = endpoint
  const deprecation = deprecationOf(service, endpoint)
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <UnstyledButton className="endpoint" title={path} onClick={() => onOpen(endpoint)}>
          <b>{method}</b> {path}
        </UnstyledButton>
      </Table.Th>
      <Table.Td>
        <Text size="xs" className={`verdict ${endpoint.verdict.replaceAll(' ', '-')}`}>
          {verdictText(endpoint)}
        </Text>
        {deprecation && <Ending deprecation={deprecation} />}
      </Table.Td>
      <Table.Td className="number">{format().number(requests)}</Table.Td>
      <Table.Td>
        <Spark counts={byDay(callers, days)} />
      </Table.Td>
      {columns.map((column) => {
        const there = callersIn(endpoint, column, columns)
        const count = requestsOf(there)
        const share = heat(count, most)
        return (
          <Table.Td key={column} className="cell">
            {count > 0 && (
              <UnstyledButton
                className={share > 0.9 ? 'cell-button dark' : 'cell-button'}
                style={{ '--share': share.toFixed(3) }}
                aria-label={text().usage.cell(columnTitle(column), count, `${method} ${path}`)}
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

export function Ending({ deprecation: { since, sunset, successor, gone } }: { readonly deprecation: Deprecation }) {
  const words = [
    gone ? text().usage.gone : text().usage.deprecated,
    since && text().usage.since(since),
    sunset && text().usage.sunset(sunset),
    successor && text().usage.successor(successor),
  ]
  return (
    <Badge variant="light" color="orange" radius="sm" tt="none" fw={500} size="sm">
      {words.filter(Boolean).join(', ')}
    </Badge>
  )
}

/** A chart too small for axes. */
function Spark({ counts }: { readonly counts: readonly number[] }) {
  const most = Math.max(0, ...counts)
  if (most === 0) return null
  const step = 96 / Math.max(1, counts.length)
  return (
    <svg
      viewBox="0 0 96 18"
      width="96"
      height="18"
      className="spark"
      role="img"
      aria-label={text().usage.peak(text().usage.requestsByDay, most)}
    >
      {counts.map((count, index) => {
        const height = count === 0 ? 0 : Math.max(1, (count / most) * 18)
        // biome-ignore lint/suspicious/noArrayIndexKey: a day has no other key
        return <rect key={index} x={index * step} y={18 - height} width={Math.max(0.5, step - 0.5)} height={height} />
      })}
    </svg>
  )
}
