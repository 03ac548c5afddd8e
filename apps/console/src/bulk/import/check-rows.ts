/** Checks all rows of a file before any of them is sent: format, missing values, labels of references, and values that must be unique. */
import { text } from '../../language/language.ts'
import type { BulkRow } from '../../model/list/bulk-text.ts'
import { faultsIn } from '../../model/record/fault.ts'
import type { Field } from '../../model/record/field.ts'
import type { Json } from '../../model/service/openapi.ts'
import type { ReferenceLabels } from './reference-labels.ts'
import type { Refused } from './reject-file.ts'

export interface CheckedRows {
  readonly ready: readonly BulkRow[]
  readonly refused: readonly Refused[]
}

export async function checkRows(
  rows: readonly BulkRow[],
  fields: readonly Field[],
  labels: Pick<ReferenceLabels, 'resolve'>,
): Promise<CheckedRows> {
  const ready: BulkRow[] = []
  const refused: Refused[] = []
  const unique = fields.filter(({ isUnique }) => isUnique)
  /** The line of each unique value. */
  const lineOfValue = new Map<string, number>()
  for (const row of rows) {
    const reason = row.record
      ? (rowFault(fields, row.record) ??
        repeatedValueFault(unique, row.record, lineOfValue) ??
        (await unknownLabelFault(labels, row.record)))
      : (row.fault ?? '')
    if (reason === undefined) {
      ready.push(row)
      for (const { name } of unique) lineOfValue.set(`${name} ${row.record?.[name]}`, row.line)
    } else refused.push({ row, reason })
  }
  return { ready, refused }
}

function rowFault(fields: readonly Field[], record: Json): string | undefined {
  const { required } = text().record
  const fieldFaults = faultsIn(fields, record)
  const faults = fields.flatMap(({ name, title, isRequired, hasDefault }) => {
    // A form sends an empty text, but a row may lack the field.
    if (isRequired && !hasDefault && record[name] === undefined) return [required(title)]
    const fault = fieldFaults[name]
    return fault === undefined ? [] : [fault === required(title) ? fault : `${title}: ${fault}`]
  })
  return faults.length === 0 ? undefined : faults.join(' ')
}

function repeatedValueFault(
  unique: readonly Field[],
  record: Json,
  lineOfValue: ReadonlyMap<string, number>,
): string | undefined {
  for (const { name, title } of unique) {
    const value = record[name]
    const line = value === null || value === undefined ? undefined : lineOfValue.get(`${name} ${value}`)
    if (line !== undefined) return text().bulk.repeatedValue(title, line)
  }
  return undefined
}

/** A record that another row creates is found later. */
async function unknownLabelFault(labels: Pick<ReferenceLabels, 'resolve'>, record: Json): Promise<string | undefined> {
  const { reason, isPending } = await labels.resolve(record)
  return isPending ? undefined : reason
}
