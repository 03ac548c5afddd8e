/** What a service can do that stands at none of its lists: each operation with what it is for. */
import { Button, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useConsole } from '../wire/console-context.ts'
import { ActionDialogFor, type Doable } from './action-buttons.tsx'

export default function OperationsView() {
  const { service } = useConsole()
  const [chosen, setChosen] = useState<Doable>()
  const all = service.apis.flatMap((api) => api.actions.map((action): Doable => ({ api, action, ids: [] })))
  return (
    <Stack gap="md">
      <Title order={1} size="h3">
        Operations
      </Title>
      <Text size="sm" c="dimmed">
        What the documents offer beside lists and records.
      </Text>
      <Paper withBorder className="sheet">
        <Table verticalSpacing={8} horizontalSpacing="md">
          <Table.Tbody>
            {all.map((one) => {
              const { operation, title } = one.action
              return (
                <Table.Tr key={`${one.api.base} ${operation.method} ${operation.path}`}>
                  <Table.Td>
                    <Text size="sm" fw={500}>
                      {title}
                    </Text>
                    <Text size="xs" c="dimmed" ff="monospace" className="breaking">
                      {operation.method} {operation.path}
                    </Text>
                  </Table.Td>
                  <Table.Td ta="right">
                    <Button size="xs" variant="default" aria-label={`Open ${title}`} onClick={() => setChosen(one)}>
                      Open
                    </Button>
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </Paper>
      {chosen && <ActionDialogFor doable={chosen} onClose={() => setChosen(undefined)} />}
    </Stack>
  )
}
