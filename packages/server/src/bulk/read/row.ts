/** Reads records of a file as rows: every value by the rules of a request, and what is missing filled in. */
import { nearest, readValue, type Value } from '@nomen/core'
import type { Cell } from '@nomen/core/bulk'
import { quoted, sentence } from '../../foundation/quoted.ts'
import type { BulkRow } from '../../store/bulk/bulk.ts'
import type { Check } from '../../store/plan.ts'
import { type BulkField, type CellReading, cellReader } from './field.ts'
import type { JsonObject } from './ndjson.ts'

/** A row, with what bars it from being a new record; or why the record cannot be one. */
export type RowReading = { readonly row: BulkRow; readonly bar?: string } | { readonly fault: string }

/** What a row is made with, beside the record itself. */
export interface RowContext {
  readonly fields: readonly BulkField[]
  /** The names of what is passed over. */
  readonly ignored: readonly string[]
  readonly check: Check | undefined
  readonly now: () => string
}

/** Reads the records of a CSV file that has these columns. */
export function cellsReader(context: RowContext, columns: readonly string[]): (cells: readonly Cell[]) => RowReading {
  const readers = columns.map((name) => {
    const field = context.fields.find((one) => one.name === name)
    return field ? cellReader(field) : (): CellReading => 'nothing'
  })
  return (cells) => {
    if (cells.length !== readers.length) {
      const count = cells.length === 1 ? '1 value' : `${cells.length} values`
      return { fault: `The line has ${count}, and the header names ${readers.length}.` }
    }
    const given = nothingGiven()
    for (let at = 0; at < readers.length; at++) {
      const cell = cells[at] as Cell
      take(given, columns[at] as string, readers[at]?.(cell) ?? 'nothing', cell ?? '')
    }
    return rowOf(context, given)
  }
}

/** Reads the objects of an NDJSON file. */
export function objectReader(context: RowContext): (object: JsonObject) => RowReading {
  const known = new Map(context.fields.map((field) => [field.name, field]))
  return (object) => {
    const given = nothingGiven()
    for (const [name, value] of Object.entries(object)) {
      const field = known.get(name)
      if (field) take(given, name, readValue(field.spec, value), value)
      else if (!context.ignored.includes(name)) given.faults.push(`"${name}" ${unknownDetail(name, known.keys())}`)
    }
    return rowOf(context, given)
  }
}

interface Given {
  readonly names: string[]
  readonly values: Record<string, Value>
  readonly faults: string[]
}

function nothingGiven(): Given {
  return { names: [], values: {}, faults: [] }
}

function take({ names, values, faults }: Given, name: string, reading: CellReading, from: unknown): void {
  if (reading === 'nothing') return
  names.push(name)
  if (reading === 'default') return
  if ('fault' in reading) faults.push(`"${name}" ${reading.fault}, not ${quoted(from)}`)
  else values[name] = reading.value
}

function rowOf({ fields, check, now }: RowContext, given: Given): RowReading {
  if (given.faults.length > 0) return { fault: faultOf(given.faults) }
  const values: Record<string, Value> = {}
  const missing: string[] = []
  const moment = now()
  for (const { name, fallback, isRequired } of fields) {
    const own = given.values[name]
    const value = own === undefined ? fallback(given.values, moment) : own
    if (value !== undefined) values[name] = value
    else if (isRequired) missing.push(`"${name}"`)
  }
  const bar = missing.length > 0 ? missingDetail(missing) : check?.(values, undefined)?.detail
  const row: BulkRow = { values, given: given.names, isBarred: bar !== undefined }
  return bar === undefined ? { row } : { row, bar: sentence(bar) }
}

/** As many faults of one record as anyone reads. */
const maxFaults = 5

function faultOf(faults: readonly string[]): string {
  const more = faults.length > maxFaults ? `; and ${faults.length - maxFaults} more` : ''
  return sentence(`${faults.slice(0, maxFaults).join('; ')}${more}`)
}

function missingDetail(missing: readonly string[]): string {
  return `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`
}

export function unknownDetail(name: string, known: Iterable<string>): string {
  const near = nearest(name, known)
  return near ? `is no field here (did you mean "${near}"?)` : 'is no field here'
}
