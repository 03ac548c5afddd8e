/** Two states of a record side by side, a row for each field. */
import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { text } from '../language/language.ts'
import { useReferenceColumns } from '../list/reference-columns.ts'
import { ListCell } from '../list/row/list-cell.tsx'
import type { Field } from '../model/record/field.ts'
import type { Values } from '../model/record/values.ts'
import type { Json } from '../model/service/openapi.ts'
import type { Api } from '../model/service/service.ts'

interface State {
  readonly title: string
  readonly values: Values
}

interface ComparisonTableProps {
  readonly api: Api
  readonly fields: readonly Field[]
  readonly states: readonly [State, State]
  /** The content of a further column. */
  readonly renderAction?: ((field: Field) => ReactNode) | undefined
  readonly className?: string
  readonly withTableBorder?: boolean
}

export function ComparisonTable({ api, fields, states, renderAction, ...rest }: ComparisonTableProps) {
  const records = states.map(({ values }) => values as Json)
  const references = useReferenceColumns(api, fields, records)
  return (
    <Table verticalSpacing={6} {...rest}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text().record.conflictField}</Table.Th>
          {states.map(({ title }) => (
            <Table.Th key={title}>{title}</Table.Th>
          ))}
          {renderAction && <Table.Td />}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {fields.map((field) => (
          <Table.Tr key={field.name}>
            <Table.Th scope="row" fw={500}>
              {field.title}
            </Table.Th>
            {states.map(({ title }, index) => (
              <Table.Td key={title}>
                <ListCell field={field} record={records[index] ?? {}} reference={references.get(field.name)} />
              </Table.Td>
            ))}
            {renderAction && <Table.Td className="entry-restore">{renderAction(field)}</Table.Td>}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
