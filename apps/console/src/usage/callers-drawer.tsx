/** The callers of one endpoint with requests, errors, first and last day. */
import { Drawer, Group, Stack, Table, Text } from '@mantine/core'
import { format, text } from '../language/language.ts'
import { byDay, callerName, deprecationOf, type EndpointReport, verdictText } from '../model/service/usage.ts'
import { useConsole } from '../state/console-context.ts'
import { Bars } from '../view/bars.tsx'
import { FocusReturn } from '../view/dialog/focus-return.tsx'
import { DocsLink } from '../view/docs-link.tsx'
import { DeprecationText } from './heat-map.tsx'

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
      title={`${method} ${path}`.trim()}
      closeButtonProps={{ 'aria-label': text().common.close }}
    >
      <FocusReturn />
      <Stack>
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {verdictText(endpoint)}
          </Text>
          {deprecation && <DeprecationText deprecation={deprecation} />}
          {method !== '' && <DocsLink method={method} path={path} />}
        </Group>
        {callers.length > 0 && days.length > 1 && (
          <Bars title={text().usage.requestsByDay} days={days} counts={byDay(callers, days)} height={120} />
        )}
        {callers.length > 0 ? (
          <Table verticalSpacing={5} fz="sm" className="callers" aria-label={text().usage.callers}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{text().usage.caller}</Table.Th>
                <Table.Th className="number">{text().usage.requests}</Table.Th>
                <Table.Th className="number">{text().usage.errors}</Table.Th>
                <Table.Th className="first">{text().usage.first}</Table.Th>
                <Table.Th>{text().usage.last}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {callers.map((caller) => (
                <Table.Tr key={`${caller.kind} ${caller.name}`}>
                  <Table.Th scope="row" fw={500}>
                    {callerName(caller)}
                  </Table.Th>
                  <Table.Td className="number">{format().number(caller.requests)}</Table.Td>
                  <Table.Td className="number">{format().number(caller.errors)}</Table.Td>
                  <Table.Td className="moment first">{format().day(caller.first)}</Table.Td>
                  <Table.Td className="moment">{format().day(caller.last)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        ) : (
          <Text size="sm">{text().usage.noRequestsHere}</Text>
        )}
      </Stack>
    </Drawer>
  )
}
