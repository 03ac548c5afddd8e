/** States of a record side by side, a row for each field. A state can have a radio button for each of its values. */
import { Table } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { text } from '../language/language.ts'
import { useReferenceColumns } from '../list/column/reference-columns.ts'
import { ListCell } from '../list/row/list-cell.tsx'
import type { Field } from '../model/record/field.ts'
import type { Values } from '../model/record/values.ts'
import type { Json } from '../model/service/openapi.ts'
import type { Api } from '../model/service/service.ts'

interface State {
  readonly title: string
  readonly values: Values
  /** The choice between the values of the states that have one. */
  readonly choice?: { isChosen(field: Field): boolean; choose(field: Field): void }
}

interface ComparisonTableProps {
  readonly api: Api
  readonly fields: readonly Field[]
  readonly states: readonly State[]
  /** The content of a further column. */
  readonly renderAction?: ((field: Field) => ReactNode) | undefined
  readonly className?: string
  readonly withTableBorder?: boolean
}

export function ComparisonTable({ api, fields, states, renderAction, ...rest }: ComparisonTableProps) {
  const records = states.map(({ values }) => values as Json)
  const references = useReferenceColumns(api, fields, records)
  const tableId = useId()
  const rowId = (row: number) => `${tableId}-row-${row}`
  const columnId = (column: number) => `${tableId}-column-${column}`
  return (
    <Table verticalSpacing={6} {...rest}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text().record.conflictField}</Table.Th>
          {states.map(({ title }, index) => (
            <Table.Th key={title} id={columnId(index)}>
              {title}
            </Table.Th>
          ))}
          {renderAction && <Table.Td />}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {fields.map((field, row) => (
          <Table.Tr key={field.name}>
            <Table.Th scope="row" fw={500} id={rowId(row)}>
              {field.title}
            </Table.Th>
            {states.map(({ title, choice }, index) => {
              const cell = (
                <ListCell
                  field={field}
                  record={records[index] ?? {}}
                  reference={references.get(field.name)}
                  link={choice ? 'none' : 'page'}
                />
              )
              const valueId = `${rowId(row)}-${index}`
              return (
                <Table.Td key={title}>
                  {choice ? (
                    <label className="compared-choice">
                      <input
                        type="radio"
                        name={rowId(row)}
                        aria-labelledby={`${rowId(row)} ${columnId(index)} ${valueId}`}
                        checked={choice.isChosen(field)}
                        onChange={() => choice.choose(field)}
                      />
                      <span id={valueId}>{cell}</span>
                    </label>
                  ) : (
                    cell
                  )}
                </Table.Td>
              )
            })}
            {renderAction && <Table.Td className="entry-restore">{renderAction(field)}</Table.Td>}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
