/** The columns of a file with their first values, and the field that each of them is imported to. */
import { Alert, ScrollArea, Select, Table, Text } from '@mantine/core'
import { text } from '../../language/language.ts'
import type { BulkFile } from '../../model/list/bulk-text.ts'
import type { ColumnMapping } from '../../model/list/column-mapping.ts'
import type { Field } from '../../model/record/field.ts'

interface ImportColumnsProps {
  readonly file: BulkFile
  readonly fields: readonly Field[]
  readonly mapping: ColumnMapping
  onChange(mapping: ColumnMapping): void
}

const sampleRows = 5

export function ImportColumns({ file, fields, mapping, onChange }: ImportColumnsProps) {
  const usedFields = new Set(mapping.values())
  const missingRequired = fields.filter(
    ({ name, isRequired, hasDefault }) => isRequired && !hasDefault && !usedFields.has(name),
  )
  const sampleRecords = file.rows.flatMap(({ record }) => (record ? [record] : [])).slice(0, sampleRows)
  const { column: columnTitle, columnField, columnValues, field: fieldTitle, missingFields, notImported } = text().bulk
  const choose = (column: string, name: string | null) => {
    const next = new Map(mapping)
    if (name === null) next.delete(column)
    else next.set(column, name)
    onChange(next)
  }
  return (
    <>
      {missingRequired.length > 0 && (
        <Alert color="yellow">{missingFields(missingRequired.map(({ title }) => title))}</Alert>
      )}
      <ScrollArea.Autosize
        mah={{ base: 'none', xs: 360 }}
        viewportProps={{ tabIndex: 0, 'aria-label': text().bulk.importSteps[1], role: 'group' }}
      >
        <Table verticalSpacing={4} className="import-columns">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{columnTitle}</Table.Th>
              <Table.Th>{fieldTitle}</Table.Th>
              <Table.Th>{columnValues}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {file.columns.map((column) => (
              <Table.Tr key={column}>
                <Table.Th scope="row" fw={500} className="breaking">
                  {column}
                </Table.Th>
                <Table.Td>
                  <Select
                    size="xs"
                    aria-label={columnField(column)}
                    placeholder={notImported}
                    searchable
                    clearable
                    data={fields.map(({ name, title }) => ({
                      value: name,
                      label: title,
                      disabled: usedFields.has(name) && mapping.get(column) !== name,
                    }))}
                    value={mapping.get(column) ?? null}
                    onChange={(name) => choose(column, name)}
                  />
                </Table.Td>
                <Table.Td>
                  <Text size="xs" c="dimmed" lineClamp={2} className="breaking">
                    {sampleRecords.map((record) => valueText(record[column])).join(' · ')}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
    </>
  )
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  return typeof value === 'object' ? JSON.stringify(value) : `${value}`
}
