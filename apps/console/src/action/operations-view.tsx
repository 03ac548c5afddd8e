/** The operations of a service that do not belong to a list or a record. */
import { Button, Group, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { text } from '../language/language.ts'
import { useConsole } from '../state/console-context.ts'
import { DocsLink } from '../view/docs-link.tsx'
import { ActionDialogFor, type BoundAction } from './action-buttons.tsx'

export default function OperationsView() {
  const { service } = useConsole()
  const [selectedAction, setSelectedAction] = useState<BoundAction>()
  const all = service.apis.flatMap((api) => api.actions.map((action): BoundAction => ({ api, action, ids: [] })))
  return (
    <Stack gap="md">
      <Title order={1} size="h3">
        {text().common.operations}
      </Title>
      <Text size="sm" c="dimmed">
        {text().action.note}
      </Text>
      <Paper withBorder className="sheet">
        <Table verticalSpacing={8} horizontalSpacing="md">
          <Table.Tbody>
            {all.map((bound) => {
              const { operation, title } = bound.action
              return (
                <Table.Tr key={`${bound.api.base} ${operation.method} ${operation.path}`}>
                  <Table.Td>
                    <Text size="sm" fw={500}>
                      {title}
                    </Text>
                    <Text size="xs" c="dimmed" ff="monospace" className="breaking">
                      {operation.method} {operation.path}
                    </Text>
                  </Table.Td>
                  <Table.Td ta="right">
                    <Group gap="md" justify="flex-end">
                      <DocsLink base={bound.api.base} method={operation.method} path={operation.path} />
                      <Button
                        size="xs"
                        variant="default"
                        aria-label={text().action.openOperation(title)}
                        onClick={() => setSelectedAction(bound)}
                      >
                        {text().common.open}
                      </Button>
                    </Group>
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </Paper>
      {selectedAction && <ActionDialogFor bound={selectedAction} onClose={() => setSelectedAction(undefined)} />}
    </Stack>
  )
}
