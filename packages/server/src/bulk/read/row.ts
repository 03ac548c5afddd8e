/** Turns records of a file into rows: checks values by the rules of a request, and fills in defaults. */
import { nearest, readValue, type Value } from '@nomen/core'
import type { Cell } from '@nomen/core/bulk'
import { quoted, sentence } from '../../foundation/quoted.ts'
import type { BulkRow } from '../../store/bulk/bulk.ts'
import { withoutInputFields } from '../../store/bulk/decision.ts'
import type { Assign, Check } from '../../store/plan.ts'
import { type BulkField, type CellResult, cellReader } from './field.ts'
import type { JsonObject } from './ndjson.ts'

/** A row, with the reason why it cannot be a new record if there is one; or the fault of an invalid record. */
export type RowResult = { readonly row: BulkRow; readonly cannotInsertReason?: string } | { readonly fault: string }

/** Rules and assignments that read no other records. The writer runs those that do. */
export interface RowLogic {
  readonly check: Check | undefined
  readonly assign?: Assign
  /** The fields that assignments set. */
  readonly assigned?: readonly string[]
}

/** The context for reading rows. */
export interface RowContext {
  readonly fields: readonly BulkField[]
  /** The names of ignored fields. */
  readonly ignored: readonly string[]
  readonly logic: RowLogic
  readonly now: () => string
}

/** Reads the records of a CSV file with these columns. */
export function cellsReader(context: RowContext, columns: readonly string[]): (cells: readonly Cell[]) => RowResult {
  const readers = columns.map((name) => {
    const field = context.fields.find((candidate) => candidate.name === name)
    return field ? cellReader(field) : (): CellResult => 'nothing'
  })
  return (cells) => {
    if (cells.length !== readers.length) {
      const count = cells.length === 1 ? '1 value' : `${cells.length} values`
      return { fault: `The line has ${count}, but the header has ${readers.length} columns.` }
    }
    const input = emptyInput()
    for (let index = 0; index < readers.length; index++) {
      const cell = cells[index] as Cell
      addValue(input, columns[index] as string, readers[index]?.(cell) ?? 'nothing', cell ?? '')
    }
    return rowOf(context, input)
  }
}

/** Reads the objects of an NDJSON file. */
export function objectReader(context: RowContext): (object: JsonObject) => RowResult {
  const fieldsByName = new Map(context.fields.map((field) => [field.name, field]))
  return (object) => {
    const input = emptyInput()
    for (const [name, value] of Object.entries(object)) {
      const field = fieldsByName.get(name)
      if (field) addValue(input, name, readValue(field.spec, value), value)
      else if (!context.ignored.includes(name))
        input.faults.push(`"${name}" ${unknownDetail(name, fieldsByName.keys())}`)
    }
    return rowOf(context, input)
  }
}

/** The fields, values and faults of a record of the file. */
interface Input {
  readonly names: string[]
  readonly values: Record<string, Value>
  readonly faults: string[]
}

function emptyInput(): Input {
  return { names: [], values: {}, faults: [] }
}

function addValue({ names, values, faults }: Input, name: string, result: CellResult, source: unknown): void {
  if (result === 'nothing') return
  names.push(name)
  if (result === 'default') return
  if ('fault' in result) faults.push(`"${name}" ${result.fault}${source === null ? '' : `, not ${quoted(source)}`}`)
  else values[name] = result.value
}

function rowOf({ fields, logic, now }: RowContext, input: Input): RowResult {
  if (input.faults.length > 0) return { fault: faultOf(input.faults) }
  const values: Record<string, Value> = {}
  const missing: string[] = []
  const time = now()
  for (const { name, fallback, isRequired } of fields) {
    const inputValue = input.values[name]
    const value = inputValue === undefined ? fallback(input.values, time) : inputValue
    if (value !== undefined) values[name] = value
    else if (isRequired) missing.push(`"${name}"`)
  }
  const isComplete = missing.length === 0
  if (isComplete && logic.assign) {
    Object.assign(values, withoutInputFields({ inputFields: input.names, values }, logic.assign(values, undefined)))
  }
  const reason = isComplete ? logic.check?.(values, undefined)?.detail : missingDetail(missing)
  const row: BulkRow = { values, inputFields: input.names, cannotInsert: reason !== undefined }
  return reason === undefined ? { row } : { row, cannotInsertReason: sentence(reason) }
}

/** The maximum number of faults in a message. */
const maxFaults = 5

function faultOf(faults: readonly string[]): string {
  const moreText = faults.length > maxFaults ? `; and ${faults.length - maxFaults} more` : ''
  return sentence(`${faults.slice(0, maxFaults).join('; ')}${moreText}`)
}

function missingDetail(missing: readonly string[]): string {
  return `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`
}

export function unknownDetail(name: string, knownNames: Iterable<string>): string {
  const suggestion = nearest(name, knownNames)
  return suggestion ? `is not a known field (did you mean "${suggestion}"?)` : 'is not a known field'
}
