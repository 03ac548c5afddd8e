/** Deliveries as a table: time, event, outcome, and the beginning of the response. */
import './delivery.css'
import { Badge, Button, Code, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { disabledFor } from '../http/use-refusal.ts'
import { text } from '../language/language.ts'
import { locate } from '../model/history/entry.ts'
import { recordPath } from '../model/route.ts'
import type { Collection } from '../model/service/service.ts'
import type { Delivery } from '../model/webhook.ts'
import { useConsole } from '../state/console-context.ts'
import { Link } from '../view/link.tsx'
import { Timestamp } from '../view/value.tsx'

interface DeliveryTableProps {
  readonly collection: Collection
  readonly deliveries: readonly Delivery[]
  /** The reason why events cannot be sent again. */
  readonly refusal: string | undefined
  /** Undefined if the service cannot send a change again. */
  readonly onResend: ((change: number) => void) | undefined
}

export function DeliveryTable({ collection, deliveries, refusal, onResend }: DeliveryTableProps) {
  const { webhook } = text()
  return (
    <div className="list-scroll">
      <Table verticalSpacing={6} fz="sm" className="deliveries" aria-label={collection.plural}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{webhook.time}</Table.Th>
            <Table.Th>{webhook.event}</Table.Th>
            <Table.Th>{webhook.outcome}</Table.Th>
            <Table.Th className="number">{webhook.attempt}</Table.Th>
            <Table.Th className="number">{webhook.duration}</Table.Th>
            <Table.Th>{webhook.response}</Table.Th>
            {onResend && (
              <Table.Th>
                <VisuallyHidden>{text().list.actions}</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {deliveries.map((delivery) => {
            const { id, change, time, attempt, durationMs } = delivery
            return (
              <Table.Tr key={`${id}`}>
                <Table.Td>
                  <Timestamp value={time} />
                </Table.Td>
                <Table.Td>
                  <EventName collection={collection} delivery={delivery} />
                </Table.Td>
                <Table.Td>
                  <Outcome delivery={delivery} />
                </Table.Td>
                <Table.Td className="number" data-title={webhook.attempt}>
                  {attempt}
                </Table.Td>
                <Table.Td className="number">
                  {durationMs !== undefined && text().request.milliseconds(durationMs)}
                </Table.Td>
                <Table.Td>
                  <ResponseText delivery={delivery} />
                </Table.Td>
                {onResend && (
                  <Table.Td className="number">
                    {change !== undefined && (
                      <Button
                        size="compact-xs"
                        variant="default"
                        aria-label={webhook.sendAgainLabel(change)}
                        {...disabledFor(refusal)}
                        onClick={() => onResend(change)}
                      >
                        {webhook.sendAgain}
                      </Button>
                    )}
                  </Table.Td>
                )}
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </div>
  )
}

/** The event, and the changed record as a link. */
function EventName({ collection, delivery: { event, record } }: { collection: Collection; delivery: Delivery }) {
  const { service } = useConsole()
  const location = locate(service, collection.api, record)
  return (
    <Stack gap={0}>
      <span>{event}</span>
      {record !== undefined &&
        (location ? (
          <Link to={recordPath(location.collection, location.ids)} size="xs">
            {record}
          </Link>
        ) : (
          <Text size="xs" c="dimmed">
            {record}
          </Text>
        ))}
    </Stack>
  )
}

function Outcome({ delivery: { isDelivered, httpStatus } }: { readonly delivery: Delivery }) {
  const parts = [isDelivered ? text().webhook.isDelivered : text().webhook.isFailed, httpStatus]
  return (
    <Badge variant="light" color={isDelivered ? 'teal' : 'red'} radius="sm" tt="none" fw={500}>
      {parts.filter((word) => word !== undefined).join(' ')}
    </Badge>
  )
}

/** The first line of the response, or the reason why there is none; the rest unfolds. */
function ResponseText({ delivery: { response, error } }: { readonly delivery: Delivery }) {
  const content = response ?? error
  if (content === undefined) return null
  const [firstLine = ''] = content.split('\n', 1)
  const isShort = firstLine === content && content.length <= 60
  if (isShort) return <Text size="xs">{content}</Text>
  return (
    <details className="problem-details">
      <summary>{firstLine.length > 60 ? `${firstLine.slice(0, 60)}…` : firstLine}</summary>
      <Code block>{content}</Code>
    </details>
  )
}
