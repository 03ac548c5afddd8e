/** Endpoints by calling applications: the darker, the more. A click leads to who calls. */
import { Badge, Table, Text, UnstyledButton } from '@mantine/core'
import type { Deprecation } from '../model/service/operation.ts'
import {
  byDay,
  callersIn,
  columnsOf,
  daysOf,
  deprecationOf,
  type EndpointReport,
  heat,
  requestsOf,
  type UsageReport,
  verdictText,
} from '../model/service/usage.ts'
import { grouped } from '../model/words.ts'
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
  const cells = report.endpoints.flatMap((one) => columns.map((column) => requestsOf(callersIn(one, column, columns))))
  const most = Math.max(1, ...cells)
  return (
    <Table.ScrollContainer minWidth={760} className="list-scroll" type="native">
      <Table
        stickyHeader
        verticalSpacing={3}
        horizontalSpacing="xs"
        className="heat"
        aria-label="Endpoints by calling applications"
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Endpoint</Table.Th>
            <Table.Th>Verdict</Table.Th>
            <Table.Th className="number">Requests</Table.Th>
            <Table.Th>Trend</Table.Th>
            {columns.map((column) => (
              <Table.Th key={column} className="caller" title={column}>
                <span>{column}</span>
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
      <Table.Td className="number">{grouped(requests)}</Table.Td>
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
                aria-label={`${column}: ${count} requests of ${method} ${path}`}
                onClick={() => onOpen(endpoint)}
              >
                {short(count)}
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
    gone ? 'Gone' : 'Deprecated',
    since && `since ${since.slice(0, 10)}`,
    sunset && `goes ${sunset.slice(0, 10)}`,
    successor && `see ${successor}`,
  ]
  return (
    <Badge variant="light" color="orange" radius="sm" tt="none" fw={500} size="sm">
      {words.filter(Boolean).join(', ')}
    </Badge>
  )
}

/** So small that lines and axes would say nothing more. */
function Spark({ counts }: { readonly counts: readonly number[] }) {
  const most = Math.max(0, ...counts)
  if (most === 0) return null
  const step = 96 / Math.max(1, counts.length)
  return (
    <svg viewBox="0 0 96 18" width="96" height="18" className="spark" role="img" aria-label={`By day, at most ${most}`}>
      {counts.map((count, index) => {
        const height = count === 0 ? 0 : Math.max(1, (count / most) * 18)
        // biome-ignore lint/suspicious/noArrayIndexKey: a day has no other name here
        return <rect key={index} x={index * step} y={18 - height} width={Math.max(0.5, step - 0.5)} height={height} />
      })}
    </svg>
  )
}

function short(count: number): string {
  if (count < 10_000) return grouped(count)
  return count < 1e6 ? `${Math.round(count / 1000)} k` : `${(count / 1e6).toFixed(1)} M`
}
