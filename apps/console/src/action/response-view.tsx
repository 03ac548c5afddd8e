/** The response of an operation: an object by its fields, records as a table, other values as JSON. */
import { Badge, Code, Group, ScrollArea, Stack, Table, Text } from '@mantine/core'
import type { ApiResponse } from '../http/http-client.ts'
import { text } from '../language/language.ts'
import { useReferenceColumns } from '../list/column/reference-columns.ts'
import { ListCell } from '../list/row/list-cell.tsx'
import { responseFields, responseRecords } from '../model/response.ts'
import { isObject, type Json } from '../model/service/openapi.ts'
import type { Operation } from '../model/service/operation.ts'
import type { Api } from '../model/service/service.ts'
import { secretsIn } from '../model/webhook.ts'
import { RecordFacts } from '../record/record-facts.tsx'
import { Secret } from '../view/secret.tsx'

interface ResponseViewProps {
  readonly api: Api
  readonly operation: Operation
  readonly response: ApiResponse
}

export function ResponseView({ api, operation, response: { status, body } }: ResponseViewProps) {
  const records = responseRecords(body)
  const [secret] = isObject(body) ? secretsIn(body) : []
  return (
    <Stack gap="xs" role="status" aria-label={text().action.response}>
      <Group gap="xs">
        <Text size="xs" c="dimmed" fw={600}>
          {text().action.response}
        </Text>
        <Badge variant="light" radius="sm" size="sm" color="teal">
          {status}
        </Badge>
      </Group>
      {records ? (
        <Records api={api} operation={operation} records={records} />
      ) : secret !== undefined ? (
        <Secret value={secret.value} />
      ) : isObject(body) && Object.keys(body).length > 0 ? (
        <RecordFacts api={api} record={body} fields={responseFields(operation.response, [body])} />
      ) : body === null ? (
        <Text size="sm">{text().action.empty}</Text>
      ) : (
        <Code block>{typeof body === 'string' ? body : JSON.stringify(body, null, 2)}</Code>
      )}
    </Stack>
  )
}

/** The maximum number of records in the table; the request panel has all of them. */
const maxRecords = 200

function Records({
  api,
  operation,
  records,
}: Omit<ResponseViewProps, 'response'> & { readonly records: readonly Json[] }) {
  const shown = records.slice(0, maxRecords)
  const fields = responseFields(operation.response, shown)
  const references = useReferenceColumns(api, fields, shown)
  if (records.length === 0) return <Text size="sm">{text().action.empty}</Text>
  return (
    <>
      <ScrollArea.Autosize
        mah={360}
        viewportProps={{ tabIndex: 0, 'aria-label': text().action.records, role: 'group' }}
      >
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
              // biome-ignore lint/suspicious/noArrayIndexKey: the records of a response never change and may have no ID
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
      {records.length > maxRecords && (
        <Text size="xs" c="dimmed">
          {text().action.truncated(maxRecords, records.length)}
        </Text>
      )}
    </>
  )
}
