/** What an operation answered, to be read: values by their names, records as a table, anything else as it came. */
import { Badge, Code, Group, ScrollArea, Stack, Table, Text } from '@mantine/core'
import { ListCell } from '../list/list-cell.tsx'
import { useReferenceColumns } from '../list/reference-columns.ts'
import { answeredFields, answeredRecords } from '../model/answer.ts'
import { isObject, type Json } from '../model/service/openapi.ts'
import type { Operation } from '../model/service/operation.ts'
import type { Api } from '../model/service/service.ts'
import { grouped } from '../model/words.ts'
import { RecordFacts } from '../record/record-facts.tsx'
import type { Answer } from '../wire/wire.ts'

interface AnswerViewProps {
  readonly api: Api
  readonly operation: Operation
  readonly answer: Answer
}

export function AnswerView({ api, operation, answer: { status, body } }: AnswerViewProps) {
  const records = answeredRecords(body)
  return (
    <Stack gap="xs" role="status" aria-label="Answer">
      <Group gap="xs">
        <Text size="xs" c="dimmed" fw={600}>
          Answer
        </Text>
        <Badge variant="light" radius="sm" size="sm" color="teal">
          {status}
        </Badge>
      </Group>
      {records ? (
        <Records api={api} operation={operation} records={records} />
      ) : isObject(body) && Object.keys(body).length > 0 ? (
        <RecordFacts api={api} record={body} fields={answeredFields(operation.answer, [body])} />
      ) : body === null ? (
        <Text size="sm">There is nothing.</Text>
      ) : (
        <Code block>{typeof body === 'string' ? body : JSON.stringify(body, null, 2)}</Code>
      )}
    </Stack>
  )
}

/** So many are drawn; the request panel has all of them. */
const most = 200

function Records({ api, operation, records }: Omit<AnswerViewProps, 'answer'> & { readonly records: readonly Json[] }) {
  const shown = records.slice(0, most)
  const fields = answeredFields(operation.answer, shown)
  const references = useReferenceColumns(api, fields, shown)
  if (records.length === 0) return <Text size="sm">There is nothing.</Text>
  return (
    <>
      <ScrollArea.Autosize mah={360} viewportProps={{ tabIndex: 0, 'aria-label': 'Answered records', role: 'group' }}>
        <Table fz="sm" verticalSpacing={4} className="list">
          <Table.Thead>
            <Table.Tr>
              {fields.map(({ name, title }) => (
                <Table.Th key={name}>{title}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((record, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an answer stays as it is, and its records need not have identities
              <Table.Tr key={index}>
                {fields.map((field) => (
                  <Table.Td key={field.name}>
                    <ListCell field={field} record={record} reference={references.get(field.name)} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      {records.length > most && (
        <Text size="xs" c="dimmed">
          The first {grouped(most)} of {grouped(records.length)}; the request panel has all of them.
        </Text>
      )}
    </>
  )
}
