/** The rejected rows of a file with their reasons, as a table and as a file to fix and import again. */
import { Button, Group, ScrollArea, Table, Text } from '@mantine/core'
import { text } from '../../language/language.ts'
import type { BulkFormat } from '../../model/list/bulk-text.ts'
import { Icon } from '../../view/icon.tsx'
import { download } from '../export.ts'
import { type Refused, rejectFile } from './reject-file.ts'

interface RefusedRowsProps {
  /** The name of the imported file. */
  readonly name: string
  readonly format: BulkFormat
  readonly refused: readonly Refused[]
}

const mediaTypes = { csv: 'text/csv;charset=utf-8', ndjson: 'application/x-ndjson', json: 'application/json' }

/** The maximum number of rejected rows in the table; the file has all of them. */
const maxRows = 200

export function RefusedRows({ name, format, refused }: RefusedRowsProps) {
  if (refused.length === 0) return null
  const save = () => {
    const type = mediaTypes[format]
    download(new Blob([rejectFile(format, refused)], { type }), `${name.replace(/\.[^.]*$/, '')}-refused.${format}`)
  }
  return (
    <>
      <ScrollArea.Autosize
        mah={240}
        viewportProps={{ tabIndex: 0, 'aria-label': text().bulk.rejectedRows, role: 'group' }}
      >
        <Table fz="xs" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{format === 'json' ? text().bulk.number : text().bulk.line}</Table.Th>
              <Table.Th>{text().bulk.reason}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {refused.slice(0, maxRows).map(({ row: { line }, reason }) => (
              <Table.Tr key={line}>
                <Table.Td>{line}</Table.Td>
                <Table.Td>{reason}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      <Group gap="xs">
        <Button size="xs" variant="default" leftSection={<Icon name="download" size={14} />} onClick={save}>
          {text().bulk.downloadRejected}
        </Button>
        <Text size="xs" c="dimmed">
          {text().bulk.downloadRejectedNote}
        </Text>
      </Group>
    </>
  )
}
