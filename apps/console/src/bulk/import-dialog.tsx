/** Brings records in from a file: what it holds, how far it is, and which lines were refused and why. */
import { Alert, Button, FileButton, Group, Modal, Progress, ScrollArea, Stack, Table, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { fill } from '../model/address.ts'
import { type BulkRow, readBulk } from '../model/bulk-text.ts'
import type { Collection } from '../model/service.ts'
import { grouped } from '../model/words.ts'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { useConsole } from '../wire/console-context.ts'
import { useStale } from '../wire/data.ts'
import { type Imported, importRows } from './import.ts'

interface ImportDialogProps {
  readonly collection: Collection
  readonly writer: Collection
  readonly ids: readonly string[]
  onClose(): void
}

export default function ImportDialog({ collection, writer, ids, onClose }: ImportDialogProps) {
  const { wire } = useConsole()
  const stale = useStale()
  const [file, setFile] = useState<{ readonly name: string; readonly rows: readonly BulkRow[] }>()
  const [done, setDone] = useState<number>()
  const [outcome, setOutcome] = useState<Imported>()
  const [error, setError] = useState<unknown>()
  const stop = useRef<AbortController>(undefined)
  const read = async (given: File | null) => {
    if (!given) return
    const format = /\.(ndjson|jsonl)$/i.test(given.name) ? 'ndjson' : 'csv'
    setOutcome(undefined)
    setFile({ name: given.name, rows: readBulk(format, await given.text(), writer.fields) })
  }
  const bring = async () => {
    if (!file) return
    stop.current = new AbortController()
    setDone(0)
    try {
      const path = fill(writer.path, writer === collection ? ids : [])
      const { signal } = stop.current
      setOutcome(await importRows(wire, { writer, path, rows: file.rows, signal, onProgress: setDone }))
      await stale(writer)
    } catch (caught) {
      setError(caught)
    } finally {
      setDone(undefined)
    }
  }
  const close = () => {
    stop.current?.abort()
    onClose()
  }
  return (
    <Modal opened onClose={close} title={`Import into ${collection.title}`} size="lg">
      <Stack>
        {error !== undefined && <ProblemAlert error={error} />}
        <Text size="sm" c="dimmed">
          CSV with the names of the properties in its first line, or NDJSON. Each row becomes a new record; what only
          the service sets is left to it.
        </Text>
        <Group>
          <FileButton onChange={read} accept=".csv,.ndjson,.jsonl" inputProps={{ 'aria-label': 'File to import' }}>
            {(props) => (
              <Button variant="default" {...props}>
                Choose a file
              </Button>
            )}
          </FileButton>
          {file && (
            <Text size="sm">
              {file.name}: {grouped(file.rows.length)} {file.rows.length === 1 ? 'row' : 'rows'}
            </Text>
          )}
        </Group>
        {done !== undefined && file && (
          <>
            <Progress.Root size="lg">
              <Progress.Section value={(100 * done) / Math.max(1, file.rows.length)} aria-label="Imported so far" />
            </Progress.Root>
            <Text size="sm">
              {grouped(done)} of {grouped(file.rows.length)}
            </Text>
          </>
        )}
        {outcome && <Outcome outcome={outcome} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {outcome ? 'Close' : 'Cancel'}
          </Button>
          {!outcome && (
            <Button disabled={!file || file.rows.length === 0} loading={done !== undefined} onClick={bring}>
              Import
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

/** So many refused lines are shown. */
const shown = 200

function Outcome({ outcome: { created, refused } }: { readonly outcome: Imported }) {
  return (
    <Stack gap="xs">
      <Alert color={refused.length === 0 ? 'teal' : 'yellow'} role="status">
        {grouped(created)} created{refused.length > 0 && `, ${grouped(refused.length)} refused`}.
      </Alert>
      {refused.length > 0 && (
        <ScrollArea.Autosize mah={240} viewportProps={{ tabIndex: 0, 'aria-label': 'Refused lines', role: 'group' }}>
          <Table fz="xs" verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Line</Table.Th>
                <Table.Th>Why</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {refused.slice(0, shown).map(({ line, reason }) => (
                <Table.Tr key={line}>
                  <Table.Td>{line}</Table.Td>
                  <Table.Td>{reason}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      )}
    </Stack>
  )
}
