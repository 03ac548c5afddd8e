/** Who calls one endpoint: how often, with how many errors, when first and last. */
import { Drawer, Group, Skeleton, Stack, Table, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { byDay, callerName, deprecationOf, type EndpointReport, verdictText } from '../model/service/usage.ts'
import { grouped } from '../model/words.ts'
import { FocusReturn } from '../view/focus-return.tsx'
import { useConsole } from '../wire/console-context.ts'
import { Ending } from './heat-map.tsx'

const Trend = lazy(() => import('./trend.tsx'))

interface CallersDrawerProps {
  readonly endpoint: EndpointReport
  readonly days: readonly string[]
  onClose(): void
}

export function CallersDrawer({ endpoint, days, onClose }: CallersDrawerProps) {
  const { service } = useConsole()
  const { method, path, callers } = endpoint
  const deprecation = deprecationOf(service, endpoint)
  return (
    <Drawer
      opened
      onClose={onClose}
      returnFocus={false}
      position="right"
      size="lg"
      title={`${method} ${path}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <FocusReturn />
      <Stack>
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {verdictText(endpoint)}
          </Text>
          {deprecation && <Ending deprecation={deprecation} />}
        </Group>
        {callers.length > 0 && days.length > 1 && (
          <Suspense fallback={<Skeleton height={140} />}>
            <Trend title="Requests by day" days={days} counts={byDay(callers, days)} height={140} />
          </Suspense>
        )}
        {callers.length > 0 ? (
          <Table verticalSpacing={5} fz="sm" aria-label="Callers">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Who calls</Table.Th>
                <Table.Th className="number">Requests</Table.Th>
                <Table.Th className="number">Errors</Table.Th>
                <Table.Th>First</Table.Th>
                <Table.Th>Last</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {callers.map((caller) => (
                <Table.Tr key={`${caller.kind} ${caller.name}`}>
                  <Table.Th scope="row" fw={500}>
                    {callerName(caller)}
                  </Table.Th>
                  <Table.Td className="number">{grouped(caller.requests)}</Table.Td>
                  <Table.Td className="number">{grouped(caller.errors)}</Table.Td>
                  <Table.Td className="moment">{caller.first.slice(0, 10)}</Table.Td>
                  <Table.Td className="moment">{caller.last.slice(0, 10)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        ) : (
          <Text size="sm">No line of the logs is for it.</Text>
        )}
      </Stack>
    </Drawer>
  )
}
